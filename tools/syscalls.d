#!/usr/sbin/dtrace -s
/*
 * syscalls: system calls with counts and times
 *
 * Usage: dtrace -x tool=syscalls
 *
 * With -c or -p: only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=syscalls -c 'ls -l /usr/bin'
 *	SYSTEM CALL                 COUNT   TOTAL(us)
 *	getxattr                        2          11
 *	...
 *	lstat                         912         998
 *
 *	how long they took, in ns
 *	           value  ------------- Distribution ------------- count
 *	             256 |                                         0
 *	             512 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@            731
 *	            1024 |@@@@@@@@                                 201
 */
#pragma D option quiet

syscall:::entry
/$target == 0 || progenyof($target)/
{
	self->start = timestamp;
}

syscall:::return
/self->start/
{
	this->ns = timestamp - self->start;
	@calls[probefunc] = count();
	@time[probefunc] = sum(this->ns);
	@dist["how long they took, in ns"] = quantize(this->ns);
	self->start = 0;
}

dtrace:::END
{
	normalize(@time, 1000);
	printf("%-24s %8s %11s\n", "SYSTEM CALL", "COUNT", "TOTAL(us)");
	printa("%-24s %@8d %@11d\n", @calls, @time);
	printa("\n%s%@d", @dist);
}
