#!/usr/sbin/dtrace -s
/*
 * hrtimers: functions of high resolution timers, by frequency
 *
 * Usage: dtrace -x tool=hrtimers
 *
 * Ends after ten seconds, or with the command of -c. With -c or -p: only this process and
 * its descendants.
 *
 * Example:
 *	# dtrace -x tool=hrtimers
 *	vmlinux`hrtimer_wakeup                                    1
 *	vmlinux`dl_task_timer                                     2
 *	vmlinux`tick_nohz_handler                                 7
 */
#pragma D option quiet

sdt:timer::hrtimer_start
/$target == 0 || progenyof($target)/
{
	@[sym(args->function)] = count();
}

profile:::tick-10sec
{
	exit(0);
}

dtrace:::END
{
	printa("%-50a %@8d\n", @);
}
