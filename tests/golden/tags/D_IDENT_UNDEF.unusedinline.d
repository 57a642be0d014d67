inline int f[int a] = a + nosuch; BEGIN { exit(0); }
