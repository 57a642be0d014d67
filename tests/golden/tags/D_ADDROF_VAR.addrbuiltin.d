BEGIN { x = &pid; }
