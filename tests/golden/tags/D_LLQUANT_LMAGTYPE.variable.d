BEGIN { x = 1; @ = llquantize(1, 10, x, 6, 20); }
