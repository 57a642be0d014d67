/* @@kernel: the argument that eight clauses want on conditions of their own is fetched once */
syscall::read:entry /pid == 1/ { g1 = arg0; }
syscall::read:entry /pid == 2/ { g2 = arg0; }
syscall::read:entry /pid == 3/ { g3 = arg0; }
syscall::read:entry /pid == 4/ { g4 = arg0; }
syscall::read:entry /pid == 5/ { g5 = arg0; }
syscall::read:entry /pid == 6/ { g6 = arg0; }
syscall::read:entry /pid == 7/ { g7 = arg0; }
syscall::read:entry /pid == 8/ { g8 = arg0; }
