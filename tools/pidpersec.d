#!/usr/sbin/dtrace -s
/*
 * pidpersec: new processes in each second
 *
 * Usage: dtrace -x tool=pidpersec [SECONDS]
 *	SECONDS  end after so many seconds (default: at Ctrl-C)
 *
 * Example:
 *	# dtrace -x tool=pidpersec
 *	TIME                 LASTPID PID/s
 *	2026 Nov 21 10:00:01    4713     2
 *	2026 Nov 21 10:00:02    4892   179
 */
#pragma D option quiet
#pragma D option defaultargs

dtrace:::BEGIN
{
	printf("%-20s %7s %5s\n", "TIME", "LASTPID", "PID/s");
	new = last = 0;
	seconds = $1;
}

proc:::create
{
	@new = count();
	last = args[0]->pr_pid;
}

profile:::tick-1sec
{
	printf("%Y %7d ", walltimestamp, last);
	printa("%@5d\n", @new);
	clear(@new);
}

profile:::tick-1sec
/seconds && --seconds == 0/
{
	exit(0);
}
