typedef struct out { int o; } out_t; struct in { int i; };
translator struct out < struct in *p > { o = p->i; };
translator out_t < struct in *q > { o = 1; };
