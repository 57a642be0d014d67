#!/usr/sbin/dtrace -s
/*
 * runqlat: time that runnable threads wait for a CPU
 *
 * Usage: dtrace -x tool=runqlat [SECONDS]
 *	SECONDS  end after so many seconds (default: at Ctrl-C)
 *
 * Microseconds, as a histogram. With -c or -p: only this process, without its children.
 *
 * Example:
 *	# dtrace -x tool=runqlat 10
 *	           value  ------------- Distribution ------------- count
 *	               0 |                                         0
 *	               1 |@@@@@@@@                                 93
 *	               2 |@@@@@@@@@@@@@@@@@@@@@@                   259
 *	               4 |@@@@@                                    61
 *	               8 |@                                        17
 *	              16 |                                         4
 *	            2048 |@@@                                      31
 *	            4096 |                                         0
 */
#pragma D option quiet
#pragma D option defaultargs

/* A queue that gives a thread to another CPU's does not end its wait. */
sched:::enqueue
/probefunc != "sched_migrate_task" && ($target == 0 || args[1]->pr_pid == $target)/
{
	since[args[0]->pr_lwpid] = timestamp;
}

sched:::dequeue
/probefunc != "sched_migrate_task" && since[args[0]->pr_lwpid]/
{
	@ = quantize((timestamp - since[args[0]->pr_lwpid]) / 1000);
	since[args[0]->pr_lwpid] = 0;
}

profile:::tick-1sec
/$1 && ++seconds == $1/
{
	exit(0);
}
