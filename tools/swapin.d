#!/usr/sbin/dtrace -s
/*
 * swapin: pages that processes read from swap space, each second
 *
 * Usage: dtrace -x tool=swapin [SECONDS]
 *	SECONDS  end after so many seconds (default: at Ctrl-C)
 *
 * The process is the one that waits for the page. Needs kprobes or fentry. With -c or -p:
 * only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=swapin
 *	TIME                    PID COMM          PAGES
 *	2026 Nov 21 10:00:01   4712 mysqld          318
 *	2026 Nov 21 10:00:01    902 cron             12
 */
#pragma D option quiet
#pragma D option defaultargs

dtrace:::BEGIN
{
	printf("%-20s %6s %-12s %6s\n", "TIME", "PID", "COMM", "PAGES");
}

vminfo:::anonpgin
/$target == 0 || progenyof($target)/
{
	@[walltimestamp - walltimestamp % 1000000000, pid, execname] = sum(arg0);
}

profile:::tick-1sec, dtrace:::END
{
	printa("%-20Y %6d %-12s %@6d\n", @);
	trunc(@);
}

profile:::tick-1sec
/$1 && ++seconds == $1/
{
	exit(0);
}
