BEGIN /"char" && pid/ { exit(1); }
