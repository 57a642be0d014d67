#!/usr/sbin/dtrace -s
/*
 * execs: programs that start, by the system call execve
 *
 * Usage: dtrace -x tool=execs
 *
 * execsnoop does this for every kind of exec. With -c or -p: only this process and its
 * descendants.
 *
 * Example:
 *	# dtrace -x tool=execs -c "sh -c 'ls / | wc -l'"
 *	TIME                     PID    PPID COMMAND
 *	2026 Nov 21 10:00:01    4712    4711 ls /
 *	2026 Nov 21 10:00:01    4713    4711 wc -l
 */
#pragma D option quiet

dtrace:::BEGIN
{
	printf("%-20s %7s %7s %s\n", "TIME", "PID", "PPID", "COMMAND");
}

/* The new program's arguments: at the entry those of a child are often not in memory yet. */
syscall::execve:return
/arg0 == 0 && ($target == 0 || progenyof($target))/
{
	printf("%Y %7d %7d %S\n", walltimestamp, pid, ppid, curpsinfo->pr_psargs);
}
