BEGIN { x[x[1]] = 1; }
