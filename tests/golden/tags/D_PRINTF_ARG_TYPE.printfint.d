BEGIN { printf("%d", "s"); }
