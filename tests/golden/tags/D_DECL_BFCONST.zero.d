struct s { int a : 1; int b : 0; };
