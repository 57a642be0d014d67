#!/usr/sbin/dtrace -s
/*
 * dtruss: system calls with arguments, results and times
 *
 * Usage: dtrace -x tool=dtruss [NAME]
 *	NAME  only programs of this name (default: all)
 *
 * The first three arguments are shown, file names as text. With -c or -p: only this
 * process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=dtruss -c 'cat /etc/hostname'
 *	PID/TID       TIME(us) CALL
 *	 4712/4712          12 openat(0xffffff9c, "/etc/hostname", 0x0) = 3
 *	 4712/4712           2 fstat(0x3, 0x7ffd4c0b5a10, 0x7ffd4c0b5a10) = 0
 *	 4712/4712           9 read(0x3, 0x7f3d1c8aa000, 0x20000) = 5
 *	 4712/4712           5 openat(0xffffff9c, "/no/such", 0x0) = -1 No such file or directory
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option compat=off
#pragma D option zdefs
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%-13s %8s %s\n", "PID/TID", "TIME(us)", "CALL");
}

syscall:::entry
/($target == 0 ? pid != $pid : progenyof($target)) && ($$1 == "" || $$1 == execname)/
{
	self->start = timestamp;
	self->a0 = arg0;
	self->a1 = arg1;
	self->a2 = arg2;
	self->first = 0;
	self->second = 0;
}

/* The name is in the first argument. It is read at return: by then the kernel has read its page. */
syscall::access:entry, syscall::acct:entry, syscall::chdir:entry, syscall::chmod:entry,
syscall::chown:entry, syscall::chroot:entry, syscall::creat:entry, syscall::getxattr:entry,
syscall::lchown:entry, syscall::lgetxattr:entry, syscall::link:entry, syscall::lstat:entry,
syscall::mkdir:entry, syscall::mknod:entry, syscall::open:entry, syscall::readlink:entry,
syscall::rename:entry, syscall::rmdir:entry, syscall::stat:entry, syscall::statfs:entry,
syscall::symlink:entry, syscall::truncate:entry, syscall::umount2:entry, syscall::unlink:entry
/self->start/
{
	self->first = arg0;
}

/* It is in the second. */
syscall::faccessat:entry, syscall::faccessat2:entry, syscall::fchmodat:entry,
syscall::fchownat:entry, syscall::linkat:entry, syscall::mkdirat:entry, syscall::mknodat:entry,
syscall::newfstatat:entry, syscall::openat:entry, syscall::openat2:entry,
syscall::readlinkat:entry, syscall::renameat:entry, syscall::renameat2:entry,
syscall::statx:entry, syscall::unlinkat:entry, syscall::utimensat:entry
/self->start && arg1/
{
	self->second = arg1;
}

/* After the call, the memory with the name is gone. */
syscall::execve:entry
/self->start/
{
	self->program = copyinstr(arg0);
}

/* These do not return. */
syscall::exit:entry, syscall::exit_group:entry
/self->start/
{
	printf("%6d/%-6d %8d %s(%d)\n", pid, tid, 0, probefunc, (int)arg0);
	self->start = 0;
}

syscall:::return
/self->start/
{
	printf("%6d/%-6d %8d %s(", pid, tid, (timestamp - self->start) / 1000, probefunc);
}

syscall:::return
/self->start && self->program != NULL/
{
	printf("\"%s\", 0x%x, 0x%x)", self->program, self->a1, self->a2);
}

syscall:::return
/self->start && self->first/
{
	printf("\"%s\", 0x%x, 0x%x)", copyinstr(self->first), self->a1, self->a2);
}

syscall:::return
/self->start && self->second/
{
	printf("0x%x, \"%s\", 0x%x)", (uint32_t)self->a0, copyinstr(self->second), self->a2);
}

syscall:::return
/self->start && self->program == NULL && !self->first && !self->second/
{
	printf("0x%x, 0x%x, 0x%x)", self->a0, self->a1, self->a2);
}

syscall:::return
/self->start && errno/
{
	printf(" = -1 %s\n", strerror(errno));
}

/* Large results are addresses. */
syscall:::return
/self->start && !errno && arg0 >> 31/
{
	printf(" = 0x%x\n", arg0);
}

syscall:::return
/self->start && !errno && !(arg0 >> 31)/
{
	printf(" = %d\n", arg0);
}

syscall:::return
{
	self->start = 0;
	self->program = NULL;
}
