BEGIN { x = (int *)8; y = 5 - x; }
