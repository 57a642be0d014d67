BEGIN { ustack(-1); }
