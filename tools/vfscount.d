#!/usr/sbin/dtrace -s
/*
 * vfscount: calls of functions of the virtual file system
 *
 * Usage: dtrace -x tool=vfscount [SECONDS]
 *	SECONDS  end after so many seconds (default: at Ctrl-C)
 *
 * Counts the kernel's functions vfs_*. Needs kprobes or fentry. With -c or -p: only this
 * process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=vfscount -c 'ls /'
 *	vfs_open                       22
 *	vfs_read                       31
 */
#pragma D option quiet
#pragma D option defaultargs

fbt::vfs_*:entry
/$target == 0 || progenyof($target)/
{
	@[probefunc] = count();
}

dtrace:::END
{
	printa("%-24s %@8d\n", @);
}

profile:::tick-1sec
/$1 && ++seconds == $1/
{
	exit(0);
}
