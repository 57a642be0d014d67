struct s { int x; } s; BEGIN { tracemem(s, 8); }
