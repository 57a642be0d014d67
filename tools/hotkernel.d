#!/usr/sbin/dtrace -s
/*
 * hotkernel: functions of the kernel that use the CPU, sampled
 *
 * Usage: dtrace -x tool=hotkernel [SECONDS]
 *	SECONDS  end after so many seconds (default: at Ctrl-C)
 *
 * 997 samples a second on each CPU, without samples of the idle process. With -c or -p:
 * only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=hotkernel 5
 *	FUNCTION                                              COUNT
 *	vmlinux`clear_page_erms                                  31
 *	vmlinux`copy_page_to_iter                               204
 */
#pragma D option quiet
#pragma D option defaultargs

profile:::profile-997
/arg0 && pid && ($target == 0 ? pid != $pid : progenyof($target))/
{
	@[func(arg0)] = count();
}

dtrace:::END
{
	printf("%-50s %8s\n", "FUNCTION", "COUNT");
	printa("%-50a %@8d\n", @);
}

profile:::tick-1sec
/$1 && ++seconds == $1/
{
	exit(0);
}
