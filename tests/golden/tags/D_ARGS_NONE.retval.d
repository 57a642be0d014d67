/* @@kernel: */
syscall::read:entry, syscall::read:return { trace(retval); }
