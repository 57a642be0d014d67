int n;
BEGIN { x = n ? trace(0) : trace(1); }
