#!/usr/sbin/dtrace -s
/*
 * setuids: changes of user IDs, with result
 *
 * Usage: dtrace -x tool=setuids
 *
 * Covers setuid, setreuid, setresuid and setfsuid. UID is the user before the call; -1
 * leaves an ID unchanged. ERR of setfsuid is always 0. With -c or -p: only this process
 * and its descendants.
 *
 * Example:
 *	# dtrace -x tool=setuids -c 'su nobody -s /bin/true'
 *	TIME                    PID COMM            UID CALL         ARGUMENTS          ERR
 *	2026 Nov 21 10:00:01   4712 su                0 setuid       65534                0
 */
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%-20s %6s %-12s %6s %-12s %-18s %3s\n", "TIME", "PID", "COMM", "UID", "CALL",
	    "ARGUMENTS", "ERR");
}

syscall::setuid:entry, syscall::setreuid:entry, syscall::setresuid:entry, syscall::setfsuid:entry
/$target == 0 || progenyof($target)/
{
	self->calling = 1;
	self->a0 = (int)arg0;
	self->a1 = (int)arg1;
	self->a2 = (int)arg2;
	self->uid = uid;
}

syscall::setuid:return, syscall::setreuid:return, syscall::setresuid:return,
syscall::setfsuid:return
/self->calling/
{
	printf("%-20Y %6d %-12s %6d %-12s ", walltimestamp, pid, execname, self->uid, probefunc);
}

syscall::setuid:return, syscall::setfsuid:return
/self->calling/
{
	printf("%-18d %3d\n", self->a0, errno);
	self->calling = 0;
}

syscall::setreuid:return
/self->calling/
{
	printf("%-6d%-12d %3d\n", self->a0, self->a1, errno);
	self->calling = 0;
}

syscall::setresuid:return
/self->calling/
{
	printf("%-6d%-6d%-6d %3d\n", self->a0, self->a1, self->a2, errno);
	self->calling = 0;
}
