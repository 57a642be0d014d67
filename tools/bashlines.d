#!/usr/sbin/dtrace -s
/*
 * bashlines: command lines typed into bash
 *
 * Usage: dtrace -x tool=bashlines
 *
 * Includes shells that start later. With -c or -p: only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=bashlines
 *	TIME          PID LINE
 *	14:02:11     4711 ls -l /tmp
 *	14:02:15     4711 make check
 */
#pragma D option quiet
#pragma D option timefmt=%T

dtrace:::BEGIN
{
	printf("%-8s %8s %s\n", "TIME", "PID", "LINE");
}

/* NULL at the end of the input. */
pid*:bash:readline:return
/arg1 && ($target == 0 || progenyof($target))/
{
	printf("%Y %8d %s\n", walltimestamp, pid, copyinstr(arg1));
}
