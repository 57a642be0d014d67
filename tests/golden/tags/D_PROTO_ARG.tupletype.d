BEGIN { x[1] = 1; x["a"] = 2; }
