struct in { int i; }; struct out { int o; char *c; };
translator struct out < struct in *p > { o = p->i; c = p->i; };
BEGIN { exit(0); }
