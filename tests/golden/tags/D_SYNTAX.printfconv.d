BEGIN { printf("%!"); }
