#!/usr/sbin/dtrace -s
/*
 * opens: opened files with process and result
 *
 * Usage: dtrace -x tool=opens
 *
 * Covers open, openat and openat2. With -c or -p: only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=opens -c 'cat /etc/hostname /no/such/file'
 *	   PID PROCESS            FD ERR PATH
 *	  4711 cat                 3   0 /etc/ld.so.cache
 *	  4711 cat                 3   0 /lib/x86_64-linux-gnu/libc.so.6
 *	  4711 cat                 3   0 /etc/hostname
 *	  4711 cat                -1   2 /no/such/file
 */
#pragma D option quiet
#pragma D option compat

dtrace:::BEGIN
{
	printf("%7s %-16s %4s %3s %s\n", "PID", "PROCESS", "FD", "ERR", "PATH");
}

syscall::open:entry
/$target == 0 || progenyof($target)/
{
	self->path = arg0;
}

/* The name is read at return: by then its page is there, for the kernel has read it too. */
syscall::open:return
/self->path/
{
	printf("%7d %-16s %4d %3d %s\n", pid, execname, arg0, errno, copyinstr(self->path));
	self->path = 0;
}
