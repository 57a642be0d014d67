#!/usr/sbin/dtrace -s
/*
 * execsnoop: programs that start, with their arguments
 *
 * Usage: dtrace -x tool=execsnoop [NAME]
 *	NAME  only programs of this name (default: all)
 *
 * With -c or -p: only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=execsnoop -c "sh -c 'ls / | wc -l'"
 *	TIME                    UID    PID   PPID COMM         ARGS
 *	2026 Nov 21 10:00:01      0   4712   4711 ls           ls /
 *	2026 Nov 21 10:00:01      0   4713   4711 wc           wc -l
 */
#pragma D option quiet
#pragma D option switchrate=10hz
#pragma D option defaultargs

dtrace:::BEGIN
{
	printf("%-20s %6s %6s %6s %-12s %s\n", "TIME", "UID", "PID", "PPID", "COMM", "ARGS");
}

proc:::exec-success
/($target == 0 || progenyof($target)) && ($$1 == "" || $$1 == execname)/
{
	printf("%-20Y %6d %6d %6d %-12s %S\n", walltimestamp, uid, pid, ppid, execname,
	    curpsinfo->pr_psargs);
}
