provider p { probe go(int a, char *b) : (char *, int); };
