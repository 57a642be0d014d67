struct s { int number; union { int first; int second; }; }; struct s v;
BEGIN { v.secnod = 1; }
