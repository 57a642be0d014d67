int f(static int x);
BEGIN { }
