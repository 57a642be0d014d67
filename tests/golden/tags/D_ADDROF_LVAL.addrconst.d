BEGIN { x = &5; }
