struct in { int i; };
translator struct nosuch < struct in *p > { o = p->i; };
