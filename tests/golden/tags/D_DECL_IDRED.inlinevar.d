int x;
inline int x = 1;
BEGIN { }
