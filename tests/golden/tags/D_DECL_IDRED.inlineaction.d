inline int exit = 7;
