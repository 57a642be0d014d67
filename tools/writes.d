#!/usr/sbin/dtrace -s
/*
 * writes: sizes of writes by program
 *
 * Usage: dtrace -x tool=writes
 *
 * Calls, average and total bytes, and histograms. With -c or -p: only this process and its
 * descendants.
 *
 * Example:
 *	# dtrace -x tool=writes -c 'dd if=/dev/zero of=/dev/null bs=64k count=100'
 *	PROCESS              CALLS    AVERAGE        TOTAL
 *	dd                     103      63626      6553557
 *
 *	dd
 *	           value  ------------- Distribution ------------- count
 *	              16 |                                         0
 *	              32 |@                                        2
 *	              64 |                                         1
 *	             128 |                                         0
 *	...
 *	           65536 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@  100
 *	          131072 |                                         0
 */
#pragma D option quiet

syscall::write:return,
syscall::pwrite64:return,
syscall::writev:return
/($target == 0 || progenyof($target)) && arg0 > 0/
{
	@calls[execname] = count();
	@average[execname] = avg(arg0);
	@total[execname] = sum(arg0);
	@sizes[execname] = quantize(arg0);
}

dtrace:::END
{
	printf("%-16s %9s %10s %12s\n", "PROCESS", "CALLS", "AVERAGE", "TOTAL");
	printa("%-16s %@9d %@10d %@12d\n", @calls, @average, @total);
	printa("\n%s%@d", @sizes);
}
