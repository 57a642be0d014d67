#!/usr/sbin/dtrace -s
/*
 * syncsnoop: system calls that write data to disks, with file and time
 *
 * Usage: dtrace -x tool=syncsnoop [NAME]
 *	NAME  only programs of this name (default: all)
 *
 * Covers sync, syncfs, fsync, fdatasync, sync_file_range and msync. With -c or -p: only
 * this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=syncsnoop -c 'dd if=/dev/zero of=file bs=4k count=1 conv=fsync'
 *	TIME                    PID COMM         CALL                 US FILE
 *	2026 Nov 21 10:00:01   4712 dd           fsync              2120 /root/file
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option zdefs
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%-20s %6s %-12s %-15s %8s %s\n", "TIME", "PID", "COMM", "CALL", "US", "FILE");
}

syscall::sync:entry, syscall::syncfs:entry, syscall::fsync:entry, syscall::fdatasync:entry,
syscall::sync_file_range:entry, syscall::msync:entry
/($target == 0 ? pid != $pid : progenyof($target)) && ($$1 == "" || $$1 == execname)/
{
	self->start = timestamp;
	self->fd = arg0;
}

syscall::syncfs:return, syscall::fsync:return, syscall::fdatasync:return,
syscall::sync_file_range:return
/self->start/
{
	printf("%-20Y %6d %-12s %-15s %8d %s\n", walltimestamp, pid, execname, probefunc,
	    (timestamp - self->start) / 1000, fds[self->fd].fi_pathname);
	self->start = 0;
}

/* These have no descriptor. */
syscall::sync:return, syscall::msync:return
/self->start/
{
	printf("%-20Y %6d %-12s %-15s %8d\n", walltimestamp, pid, execname, probefunc,
	    (timestamp - self->start) / 1000);
	self->start = 0;
}
