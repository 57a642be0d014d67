char *p; BEGIN { p = 5; }
