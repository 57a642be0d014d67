BEGIN { x = 1; y = x ? trace(1) : 2; }
