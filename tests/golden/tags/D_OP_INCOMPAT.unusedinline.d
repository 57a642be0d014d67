inline char *f = 5; BEGIN { exit(0); }
