BEGIN /"x" == 5/ { }
