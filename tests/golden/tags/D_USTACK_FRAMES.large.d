BEGIN { ustack(100000); }
