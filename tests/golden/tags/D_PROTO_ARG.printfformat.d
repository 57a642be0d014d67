BEGIN { printf(5); }
