BEGIN { @ = quantize(1, "one"); }
