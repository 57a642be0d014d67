string s;
BEGIN { bcopy("text", s, 2); }
