BEGIN { @ = llquantize(1, 10, 20, 21, 20); }
