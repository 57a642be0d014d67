BEGIN { printf("%s", printf("x")); }
