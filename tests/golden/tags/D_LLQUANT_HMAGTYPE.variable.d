BEGIN { x = 1; @ = llquantize(1, 10, 0, x, 20); }
