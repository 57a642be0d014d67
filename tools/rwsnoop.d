#!/usr/sbin/dtrace -s
/*
 * rwsnoop: reads and writes with bytes and file
 *
 * Usage: dtrace -x tool=rwsnoop [NAME]
 *	NAME  only programs of this name (default: all)
 *
 * Covers read, pread64, readv, preadv, write, pwrite64, writev and pwritev. With -c or -p:
 * only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=rwsnoop -c 'cat /etc/hostname'
 *	   UID    PID COMM         D    BYTES FILE
 *	     0   4712 cat          R      832 /usr/lib/x86_64-linux-gnu/libc.so.6
 *	     0   4712 cat          R        5 /etc/hostname
 *	     0   4712 cat          W        5 /dev/pts/1
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%6s %6s %-12s %s %8s %s\n", "UID", "PID", "COMM", "D", "BYTES", "FILE");
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::preadv:entry,
syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry, syscall::pwritev:entry
/($target == 0 ? pid != $pid : progenyof($target)) && ($$1 == "" || $$1 == execname)/
{
	self->fd = arg0 + 1;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return
/self->fd/
{
	printf("%6d %6d %-12s R %8d %s\n", uid, pid, execname, arg0, fds[self->fd - 1].fi_pathname);
	self->fd = 0;
}

syscall::write:return, syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return
/self->fd/
{
	printf("%6d %6d %-12s W %8d %s\n", uid, pid, execname, arg0, fds[self->fd - 1].fi_pathname);
	self->fd = 0;
}
