struct s { int a[2][3]; int n; }; BEGIN { trace(((struct s *)arg0)->a[1][3]); }
