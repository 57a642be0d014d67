/* @@kernel: */
/* Words of other tracers and of other systems. */
vfs:namei:lookup:entry { }
syscall:freebsd:open:entry { }
mach_trap:::entry { }
objc1:::entry { }
kprobe:do_sys_open { }
interval:s:1 { }
begin { }
BEGIN { trace(curthread->td_name); }
BEGIN { trace(curthread->td_proc); }
BEGIN { trace(jailname); }
BEGIN { trace(comm); }
BEGIN { trace(uptr(1)); }
BEGIN { trace(strcmp("a", "b") == 0); }
BEGIN { cat("/proc/version"); }
BEGIN { @ = hist(arg0); }
BEGIN { @x[pid]++; }
BEGIN { trace(str(arg0)); }
BEGIN { unroll(3); }
