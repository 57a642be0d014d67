#!/usr/sbin/dtrace -s
/*
 * Command lines as they are typed into bash: when, in which shell, what. In all shells, those that start later too,
 * or in that of a command.
 *
 *	dtrace -s bashlines.d
 *	dtrace -s bashlines.d -c 'bash -i'
 *
 * Sample:
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
