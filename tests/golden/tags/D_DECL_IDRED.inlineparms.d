inline int strlen[string s] = 7;
