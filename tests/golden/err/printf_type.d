BEGIN { printf("%s\n", 5); }
