#!/usr/sbin/dtrace -s
/*
 * opensnoop: opened files with user, flags and result
 *
 * Usage: dtrace -x tool=opensnoop [NAME]
 *	NAME  only programs of this name (default: all)
 *
 * Covers open, openat and openat2. With -c or -p: only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=opensnoop -c 'cat /etc/hostname /no/such/file'
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
	printf("%6s %6s %-12s %3s %3s %-8s %s\n", "UID", "PID", "COMM", "FD", "ERR", "FLAGS",
	    "PATH");
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
	printf("%6d %6d %-12s %3d %3d 0x%-6x %s\n", uid, pid, execname, arg0, errno, self->flags,
	    copyinstr(self->path));
	self->path = 0;
	self->flags = 0;
	self->ok = 0;
}
