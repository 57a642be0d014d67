#!/usr/sbin/dtrace -s
/*
 * How many threads wait for a CPU, for each CPU, sampled 99 times a second; until ^C, the command's end, or for some seconds.
 *
 *	dtrace -s runqlen.d [SECONDS]
 *
 * Sample, of one CPU with three busy threads:
 *	 cpu                1
 *	           value  ------------- Distribution ------------- count
 *	               1 |                                         0
 *	               2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 198
 *	               3 |                                         0
 */
#pragma D option quiet
#pragma D option defaultargs

profile:::profile-99
{
	@["cpu", cpu] = lquantize(curthread->t_cpu->cpu_disp->disp_nrunnable, 0, 100, 1);
}

profile:::tick-1sec
/$1 && ++seconds == $1/
{
	exit(0);
}
