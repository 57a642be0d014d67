BEGIN { x = offsetof(struct { int a; }, b); }
