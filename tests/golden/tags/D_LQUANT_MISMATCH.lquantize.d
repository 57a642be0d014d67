BEGIN { @a = lquantize(1, 2, 1); }
