struct s { char name[4]; int n; } v; BEGIN { trace(v.name[4]); }
