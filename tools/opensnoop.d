#!/usr/sbin/dtrace -s
/*
 * Files as they are opened, by any of the calls that do: -x compat makes "open" mean openat and openat2 as well, with the
 * arguments in open's places. The path is read at return, when the kernel itself has read it.
 *
 *	dtrace -s opensnoop.d [NAME]				only of programs of this name
 *	dtrace -s opensnoop.d -c 'cat /etc/hostname /no/such/file'	only what this opens
 *
 * Sample:
 *	   UID    PID COMM          FD ERR FLAGS    PATH
 *	     0   4712 cat            3   0 0x80000  /usr/share/locale/locale.alias
 *	     0   4712 cat            3   0 0x0      /etc/hostname
 *	     0   4712 cat           -1   2 0x0      /no/such/file
 */
#pragma D option quiet
#pragma D option switchrate=10hz
#pragma D option defaultargs
#pragma D option compat

dtrace:::BEGIN
{
	printf("%6s %6s %-12s %3s %3s %-8s %s\n", "UID", "PID", "COMM", "FD", "ERR", "FLAGS", "PATH");
}

syscall::open:entry
/($target == 0 || progenyof($target)) && ($$1 == "" || $$1 == execname)/
{
	self->path = arg0;
	self->flags = arg1;
	self->ok = 1;
}

syscall::open:return
/self->ok/
{
	printf("%6d %6d %-12s %3d %3d 0x%-6x %s\n", uid, pid, execname, arg0, errno, self->flags, copyinstr(self->path));
	self->path = 0;
	self->flags = 0;
	self->ok = 0;
}
