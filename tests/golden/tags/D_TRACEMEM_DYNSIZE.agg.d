string s;
BEGIN { s = "text"; tracemem(s, 4, @a); }
