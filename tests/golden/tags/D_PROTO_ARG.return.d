BEGIN { return(return(0)); }
