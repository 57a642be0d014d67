syscall::no_such_call:entry { }
