int f(int)[4];
BEGIN { }
