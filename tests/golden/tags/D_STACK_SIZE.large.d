BEGIN { stack(100000); }
