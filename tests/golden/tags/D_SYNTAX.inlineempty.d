inline int x;
BEGIN { }
