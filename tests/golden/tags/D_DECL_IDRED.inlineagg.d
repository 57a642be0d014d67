inline int count = 7;
