struct s { struct s *next; int a:33; }; typedef struct t t; t *p;
BEGIN { p->x; *p; sizeof (t); (struct s)p; p[0]; &p->x; }
