inline int f = f + 1; BEGIN { x = f; }
