#!/usr/sbin/dtrace -s
/*
 * syscount: system calls with counts, failures and times, and programs
 *
 * Usage: dtrace -x tool=syscount [SECONDS]
 *	SECONDS  end after so many seconds (default: at Ctrl-C)
 *
 * With -c or -p: only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=syscount -c 'ls /'
 *	SYSCALL               COUNT   FAILED  TIME(us)
 *	newfstatat               22        0        39
 *	openat                   36       16       121
 *	read                     21        0        83
 *
 *	PROGRAM               COUNT
 *	ls                      113
 */
#pragma D option quiet
#pragma D option defaultargs

dtrace:::BEGIN
{
	seconds = $1;
}

syscall:::entry
/$target == 0 ? pid != $pid : progenyof($target)/
{
	self->start = timestamp;
}

syscall:::return
/self->start/
{
	@calls[probefunc] = count();
	@failed[probefunc] = sum(errno != 0);
	@time[probefunc] = sum(timestamp - self->start);
	@programs[execname] = count();
	self->start = 0;
}

profile:::tick-1sec
/seconds && --seconds == 0/
{
	exit(0);
}

dtrace:::END
{
	normalize(@time, 1000);
	printf("%-20s %8s %8s %9s\n", "SYSCALL", "COUNT", "FAILED", "TIME(us)");
	printa("%-20s %@8d %@8d %@9d\n", @calls, @failed, @time);
	printf("\n%-20s %8s\n", "PROGRAM", "COUNT");
	printa("%-20s %@8d\n", @programs);
}
