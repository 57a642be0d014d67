inline int f = 1; BEGIN { f = 2; }
