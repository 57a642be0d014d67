BEGIN { x = 1; x && trace(2); }
