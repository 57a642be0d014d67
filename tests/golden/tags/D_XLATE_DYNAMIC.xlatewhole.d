struct in { int x; };
struct out { struct in *p; };
translator struct in < int n > { x = n; };
translator struct out < int n > { p = xlate <struct in *>(n); };
BEGIN { trace(xlate <struct out>(1).p->x); x = xlate <struct out>(1); }
