BEGIN { printf("%d"); }
