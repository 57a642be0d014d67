BEGIN { c = "boo" ? 1 : 2; }
