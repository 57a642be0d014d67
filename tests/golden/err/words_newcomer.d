/* Forms that a user of bpftrace brings along, in places where D's grammar ends. */
kprobe:vfs_read+0x1c { }
openat { }
syscall::sys_openat:entry { }
syscall::__x64_sys_openat: { }
BEGIN { trace(PID); }
BEGIN { x = (strct task_struct *)curthread; }
BEGIN { delete(y[1]); y[1] = 2; }
syscall::read:entry { @x = @x + 1; @y = @y + arg2; @z = @x + 1; }
BEGIN { printf("%s", pid); printf("%d", execname); printf("%i", execname); }
syscall::read:entry if (pid == 1) { trace(1); }
