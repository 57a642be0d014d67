BEGIN { trace(ENOENT); ENOENT = 3; }
