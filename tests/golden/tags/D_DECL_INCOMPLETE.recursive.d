struct s { struct s x; };
