BEGIN { return 0; }
