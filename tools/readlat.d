#!/usr/sbin/dtrace -s
/*
 * readlat: latency of read() by program, each second
 *
 * Usage: dtrace -x tool=readlat
 *
 * Nanoseconds. With -c or -p: only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=readlat -c 'dd if=/dev/zero of=/dev/null bs=4k count=100000'
 *	  dd
 *	           value  ------------- Distribution ------------- count
 *	             128 |                                         0
 *	             256 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 99634
 *	             512 |                                         281
 *	            1024 |                                         83
 */
#pragma D option quiet

syscall::read:entry
/$target == 0 || progenyof($target)/
{
	self->start = timestamp;
}

syscall::read:return
/self->start/
{
	@[execname] = quantize(timestamp - self->start);
	self->start = 0;
}

profile:::tick-1sec
{
	printa(@);
	trunc(@);
}

dtrace:::END
{
	printa(@);
}
