int a[int];
BEGIN { print(a); }
