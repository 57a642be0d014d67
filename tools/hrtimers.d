#!/usr/sbin/dtrace -s
/*
 * Which functions the kernel's high resolution timers are started for, and how often; for ten seconds, or a command.
 *
 *	dtrace -s hrtimers.d
 *
 * Sample:
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
