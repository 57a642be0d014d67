#!/usr/sbin/dtrace -s
/*
 * exitsnoop: processes that end, with age, status or signal
 *
 * Usage: dtrace -x tool=exitsnoop [NAME]
 *	NAME  only programs of this name (default: all)
 *
 * With -c or -p: only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=exitsnoop -c 'sh -c "sleep 0.1; exit 3"'
 *	TIME                    PID   PPID COMM              AGE(ms) STATUS SIGNAL
 *	2026 Nov 21 10:00:01   4712   4711 sleep                 102      0      0
 *	2026 Nov 21 10:00:01   4711   4710 sh                    104      3      0
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%-20s %6s %6s %-12s %12s %6s %6s\n", "TIME", "PID", "PPID", "COMM", "AGE(ms)",
	    "STATUS", "SIGNAL");
}

proc:::exit
/($target == 0 || progenyof($target)) && ($$1 == "" || $$1 == execname)/
{
	this->code = curthread->exit_code;
	printf("%-20Y %6d %6d %-12s %12d %6d %6d\n", walltimestamp, pid, ppid, execname,
	    (timestamp - curthread->group_leader->start_time) / 1000000, this->code >> 8 & 0xff,
	    this->code & 0x7f);
}
