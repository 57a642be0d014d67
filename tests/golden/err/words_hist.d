BEGIN { @[pid] = hist(arg2 / 2); }
