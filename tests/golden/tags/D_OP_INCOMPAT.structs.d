struct s { int a; };
struct s v, w;
BEGIN { trace(v == w); }
