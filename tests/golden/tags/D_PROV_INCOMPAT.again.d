provider p { probe x(int a); probe x(string a); };
BEGIN { }
