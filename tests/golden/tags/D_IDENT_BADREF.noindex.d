BEGIN { x[1] = 1; x = 2; }
