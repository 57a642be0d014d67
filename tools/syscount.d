#!/usr/sbin/dtrace -s
/*
 * System calls by name, with how many failed and how long they took together, and the programs that make the most.
 *
 *	dtrace -s syscount.d [SECONDS]		all, until ^C or for so long
 *	dtrace -s syscount.d -c 'ls /'		only what this does
 *
 * Sample:
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
