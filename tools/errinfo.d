#!/usr/sbin/dtrace -s
/*
 * errinfo: failed system calls with the description of the error
 *
 * Usage: dtrace -x tool=errinfo [NAME]
 *	NAME  only programs of this name (default: all)
 *
 * With -c or -p: only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=errinfo -c 'ls /no/such/directory'
 *	PROGRAM          CALL             ERRNO    COUNT DESCRIPTION
 *	ls               access               2        1 No such file or directory
 *	ls               statx                2        1 No such file or directory
 */
#pragma D option quiet
#pragma D option defaultargs

syscall:::return
/errno && ($target == 0 ? pid != $pid : progenyof($target)) && ($$1 == "" || $$1 == execname)/
{
	@[execname, probefunc, errno, strerror(errno)] = count();
}

dtrace:::END
{
	printf("%-16s %-16s %5s %-32s %8s\n", "PROGRAM", "CALL", "ERRNO", "DESCRIPTION", "COUNT");
	printa("%-16s %-16s %5d %-32s %@8d\n", @);
}
