#!/usr/sbin/dtrace -s
/*
 * procsystime: time in system calls, by call
 *
 * Usage: dtrace -x tool=procsystime [NAME]
 *	NAME  only programs of this name (default: all)
 *
 * Microseconds, with the number of calls. The time includes waiting. With -c or -p: only
 * this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=procsystime -c 'ls -l /usr/bin'
 *	CALL                    COUNT   AVERAGE       MAX     TOTAL
 *	getdents64                 12        92       410      1108
 *	newfstatat               1530         1        29      2127
 */
#pragma D option quiet
#pragma D option defaultargs

syscall:::entry
/($target == 0 ? pid != $pid : progenyof($target)) && ($$1 == "" || $$1 == execname)/
{
	self->start = timestamp;
}

syscall:::return
/self->start/
{
	this->ns = timestamp - self->start;
	@total[probefunc] = sum(this->ns);
	@count[probefunc] = count();
	@average[probefunc] = avg(this->ns);
	@max[probefunc] = max(this->ns);
	self->start = 0;
}

dtrace:::END
{
	normalize(@total, 1000);
	normalize(@average, 1000);
	normalize(@max, 1000);
	setopt("aggsortpos", "3");
	printf("%-20s %8s %9s %9s %9s\n", "CALL", "COUNT", "AVERAGE", "MAX", "TOTAL");
	printa("%-20s %@8d %@9d %@9d %@9d\n", @count, @average, @max, @total);
}
