struct s { int f(int); };
BEGIN { }
