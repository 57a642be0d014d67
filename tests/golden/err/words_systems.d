/* Probes and variables of other systems and of beginners. */
BEGIN { trace(jid); trace(curproc); trace(zoneid); trace(threadname); }
proc:::fork { }
io:::read { }
tcp:::connect { }
sctp:::send { }
fpuinfo:::fpu_sigfpe { }
cpucaps:::cap-exceeded { }
callout_execute:::callout-start { }
sys_read:entry { }
syscall:read::entry { }
pid:libc:malloc:entry { }
