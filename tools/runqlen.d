#!/usr/sbin/dtrace -s
/*
 * runqlen: length of the run queue of each CPU, sampled
 *
 * Usage: dtrace -x tool=runqlen [SECONDS]
 *	SECONDS  end after so many seconds (default: at Ctrl-C)
 *
 * 99 samples a second. The length includes the running thread.
 *
 * Example:
 *	# dtrace -x tool=runqlen 10
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
