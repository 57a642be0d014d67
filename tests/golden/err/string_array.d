string s[100];
BEGIN { s[0] = "a"; }
