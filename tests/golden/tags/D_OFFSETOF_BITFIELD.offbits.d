BEGIN { x = offsetof(struct { int a:2; }, a); }
