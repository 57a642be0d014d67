struct box { int n; }; BEGIN { trace(container_of(5, struct box, n)); }
