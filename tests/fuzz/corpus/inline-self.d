inline int f[int x] = f[x - 1];
BEGIN { trace(f[3]); }
