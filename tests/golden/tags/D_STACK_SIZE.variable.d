BEGIN { x = 4; stack(x); }
