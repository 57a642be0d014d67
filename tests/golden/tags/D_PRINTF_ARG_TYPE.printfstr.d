BEGIN { printf("%s", 5); }
