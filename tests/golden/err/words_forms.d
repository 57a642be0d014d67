/* Forms of bpftrace, and descriptions without a provider's empty fields. */
syscall:read:entry { }
syscall:read { }
io:start { }
syscall::entry { }
io::start { }
tick_10s { }
sched:sched_switch { }
tick { }
profile { }
sys_enter_read { }
syscall::openat:entry { printf("%s", str(args.filename)); }
syscall::openat:entry { trace(copyinstr(args.filename)); }
syscall::read:entry { @start[tid] = timestamp; }
syscall::read:return /@[tid]/ { trace(timestamp - @[tid]); }
BEGIN { @ = 1; }
BEGIN { trace(ntop(arg0)); }
BEGIN { trace(buf(arg0, 4)); }
BEGIN { exit(); }
