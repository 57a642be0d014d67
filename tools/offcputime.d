#!/usr/sbin/dtrace -s
/*
 * How long threads are off their CPUs, and where in the kernel they left them: nanoseconds for each program and stack.
 *
 *	dtrace -s offcputime.d -c 'sh -c "sleep 0.2; ls /"'	the command's own threads
 *	dtrace -x oformat=folded -s offcputime.d 10		everybody's for 10 seconds, for a flame graph
 *
 * Sample, the last of its rows:
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
