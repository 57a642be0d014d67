#!/usr/sbin/dtrace -s
/*
 * statsnoop: files whose attributes are read, with result
 *
 * Usage: dtrace -x tool=statsnoop [NAME]
 *	NAME  only programs of this name (default: all)
 *
 * Covers stat, lstat, newfstatat, statx and statfs; of a descriptor the path of its file is
 * shown. With -c or -p: only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=statsnoop -c 'ls -l /etc/hostname /no/such/file'
 *	   PID COMM         ERR PATH
 *	  4712 ls             0 /etc/hostname
 *	  4712 ls             2 /no/such/file
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option compat=off
#pragma D option zdefs
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%6s %-12s %3s %s\n", "PID", "COMM", "ERR", "PATH");
}

syscall::stat:entry, syscall::lstat:entry, syscall::statfs:entry
/($target == 0 ? pid != $pid : progenyof($target)) && ($$1 == "" || $$1 == execname)/
{
	self->path = arg0;
	self->fd = -1;
}

syscall::newfstatat:entry, syscall::statx:entry
/($target == 0 ? pid != $pid : progenyof($target)) && ($$1 == "" || $$1 == execname)/
{
	self->path = arg1;
	self->fd = (int)arg0;
}

/* The name is read at return: by then the kernel has read its page. */
syscall::stat:return, syscall::lstat:return, syscall::statfs:return, syscall::newfstatat:return,
syscall::statx:return
/self->path/
{
	this->path = copyinstr(self->path);
	printf("%6d %-12s %3d %s\n", pid, execname, errno,
	    this->path == "" && self->fd >= 0 ? fds[self->fd].fi_pathname : this->path);
	self->path = self->fd = 0;
}
