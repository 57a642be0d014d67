struct s { char name[8]; int more; };
struct s v;
BEGIN { trace(stringof(v.name)[8]); }
