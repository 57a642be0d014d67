syscall::read:entry, syscall::open:entry { trace(args[1]); }
