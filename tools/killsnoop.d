#!/usr/sbin/dtrace -s
/*
 * killsnoop: signals sent by system calls, with sender and result
 *
 * Usage: dtrace -x tool=killsnoop
 *
 * A target of 0 is the sender's process group, a negative one another group. With -c or
 * -p: only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=killsnoop -c "sh -c 'sleep 9 & kill -9 \$!; kill -1 999999'"
 *	TIME                    UID    PID COMM         SIG    TO ERR
 *	2026 Nov 21 10:00:01      0   4711 sh             9  4712   0
 *	2026 Nov 21 10:00:01      0   4711 sh             1 999999   3
 */
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%-20s %6s %6s %-12s %3s %6s %3s\n", "TIME", "UID", "PID", "COMM", "SIG", "TO",
	    "ERR");
}

syscall::kill:entry, syscall::tkill:entry
/$target == 0 || progenyof($target)/
{
	self->to = (int)arg0;
	self->sig = (int)arg1;
	self->ok = 1;
}

/* Of a process's threads, one: what raise() and pthread_kill() are. */
syscall::tgkill:entry
/$target == 0 || progenyof($target)/
{
	self->to = (int)arg1;
	self->sig = (int)arg2;
	self->ok = 1;
}

syscall::kill:return, syscall::tkill:return, syscall::tgkill:return
/self->ok/
{
	printf("%-20Y %6d %6d %-12s %3d %6d %3d\n", walltimestamp, uid, pid, execname, self->sig,
	    self->to, errno);
	self->to = 0;
	self->sig = 0;
	self->ok = 0;
}
