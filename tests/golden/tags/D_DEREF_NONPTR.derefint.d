BEGIN { x = *5; }
