struct s { int a; }; struct r { int a; }; translator struct s < struct r *p > { a = p->a; };
BEGIN { x[xlate <struct s>((struct r *)0)] = 1; }
