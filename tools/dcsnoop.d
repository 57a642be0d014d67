#!/usr/sbin/dtrace -s
/*
 * dcsnoop: lookups of file names that are not in the dentry cache
 *
 * Usage: dtrace -x tool=dcsnoop [NAME]
 *	NAME  only programs of this name (default: all)
 *
 * A lookup that misses the directory entry cache asks the file system. Shows one component
 * of the path. Needs kprobes or fentry. With -c or -p: only this process and its
 * descendants.
 *
 * Example:
 *	# dtrace -x tool=dcsnoop -c 'ls /no-such-file'
 *	TIME                    PID COMM         FILE
 *	2026 Nov 21 10:00:01   4712 ls           no-such-file
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%-20s %6s %-12s %s\n", "TIME", "PID", "COMM", "FILE");
}

fbt::d_lookup:entry
/($target == 0 ? pid != $pid : progenyof($target)) && ($$1 == "" || $$1 == execname)/
{
	self->name = args->name;
}

fbt::d_lookup:return
/self->name && !args[1]/
{
	printf("%-20Y %6d %-12s %s\n", walltimestamp, pid, execname,
	    stringof((char *)self->name->name));
}

fbt::d_lookup:return
{
	self->name = NULL;
}
