BEGIN { setopt("bufsize", "1m"); }
