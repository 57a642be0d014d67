struct in { int i; }; struct out { int o; };
translator struct out < struct in *p > { o = p->none; };
BEGIN { exit(0); }
