BEGIN { x = (void *)0; y = *x; }
