inline int f[int a] = a; BEGIN { x = f; }
