BEGIN { register int x; }
