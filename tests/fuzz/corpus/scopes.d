string s[int, string]; self int s[int]; this x; int f(int); enum { A = B, B = 1 / 0 };
BEGIN { s[1] = 2; s["a", 1]; @s = @s; @[s] = sum(@); a.b.c = 1; a[1][2] = 3; }
