BEGIN { x = (int *)8; y = x + x; }
