inline int a = b;
inline int b = a;
BEGIN { trace(a); }
