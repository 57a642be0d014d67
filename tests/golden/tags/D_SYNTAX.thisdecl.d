BEGIN { x = 1; this string s; }
