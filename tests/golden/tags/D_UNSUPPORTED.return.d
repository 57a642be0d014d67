BEGIN { return(5); }
