struct s { int x:pid; };
BEGIN { }
