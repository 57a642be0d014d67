BEGIN { @ = lquantize(1, 1100, 1100, -100); }
