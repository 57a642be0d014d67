BEGIN { x[1] = (char *)arg0; x[2] = pid; }
