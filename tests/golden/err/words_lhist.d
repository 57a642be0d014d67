BEGIN { @ = lhist(arg2, 0, 10, 1); }
