BEGIN { x = 10; @ = llquantize(1, x, 0, 6, 20); }
