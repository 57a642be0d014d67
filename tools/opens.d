#!/usr/sbin/dtrace -s
/*
 * Files as they are opened: who, the result (a descriptor or the error's number) and the name. -x compat makes "open" mean openat and
 * openat2 as well, by which nearly all are.
 *
 *	dtrace -s opens.d -c 'cat /etc/hostname /no/such/file'
 *
 * Sample:
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
