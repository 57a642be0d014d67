inline int pid = 7;
