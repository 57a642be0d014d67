#!/usr/sbin/dtrace -s
/*
 * errors: failed system calls by program, call and error
 *
 * Usage: dtrace -x tool=errors
 *
 * With -c or -p: only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=errors -c 'ls /no/such/directory'
 *	PROCESS          SYSTEM CALL       ERRNO    COUNT
 *	ls               access                2        1
 *	ls               statx                 2        1
 */
#pragma D option quiet

syscall:::return
/errno != 0 && ($target == 0 || progenyof($target))/
{
	@[execname, probefunc, errno] = count();
}

dtrace:::END
{
	printf("%-16s %-16s %6s %8s\n", "PROCESS", "SYSTEM CALL", "ERRNO", "COUNT");
	printa("%-16s %-16s %6d %@8d\n", @);
}
