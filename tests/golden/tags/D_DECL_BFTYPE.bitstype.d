struct s { string a:4; };
