BEGIN { printf("%!", 1); }
