#!/usr/sbin/dtrace -s
/*
 * offcputime: time that threads are off the CPU, by kernel stack
 *
 * Usage: dtrace -x tool=offcputime [SECONDS]
 *	SECONDS  end after so many seconds (default: at Ctrl-C)
 *
 * Nanoseconds by program and stack. With -c or -p: only this process, without its
 * children.
 *
 * -x oformat=svg -o FILE draws a flame graph.
 *
 * Example:
 *	# dtrace -x tool=offcputime -c 'sh -c "sleep 0.2; ls /"'
 *	  sh
 *	              vmlinux`__schedule+0x618
 *	              vmlinux`schedule+0x23
 *	              vmlinux`do_wait+0x5a
 *	              vmlinux`kernel_wait4+0xab
 *	              vmlinux`do_syscall_64+0x71
 *	              vmlinux`entry_SYSCALL_64_after_hwframe+0x76
 *	        202419033
 */
#pragma D option quiet
#pragma D option defaultargs

sched:::off-cpu
/pid && ($target == 0 || pid == $target)/
{
	self->since = timestamp;
	self->where = stack();
}

sched:::on-cpu
/self->since/
{
	@[execname, self->where] = sum(timestamp - self->since);
	self->since = 0;
}

profile:::tick-1sec
/$1 && ++seconds == $1/
{
	exit(0);
}
