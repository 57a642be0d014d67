struct s { int a; }; struct t { int a; }; struct s v; struct t w; BEGIN { v = w; }
