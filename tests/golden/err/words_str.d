BEGIN { printf("%s", str(arg0)); }
