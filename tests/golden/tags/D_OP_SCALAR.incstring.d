BEGIN { x = "a"; x++; }
