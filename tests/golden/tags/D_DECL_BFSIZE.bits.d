struct s { int a:40; };
