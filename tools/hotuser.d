#!/usr/sbin/dtrace -s
/*
 * hotuser: functions of programs that use the CPU, sampled
 *
 * Usage: dtrace -x tool=hotuser [SECONDS]
 *	SECONDS  end after so many seconds (default: at Ctrl-C)
 *
 * 997 samples a second on each CPU, with the function and without its callers. With -c or
 * -p: only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=hotuser -c 'gzip -k file'
 *	PROGRAM          FUNCTION                                              COUNT
 *	gzip             gzip`deflate                                             12
 *	gzip             gzip`longest_match                                      310
 */
#pragma D option quiet
#pragma D option defaultargs

profile:::profile-997
/arg1 && ($target == 0 ? pid != $pid : progenyof($target))/
{
	@[execname, ufunc(arg1)] = count();
}

dtrace:::END
{
	printf("%-16s %-50s %8s\n", "PROGRAM", "FUNCTION", "COUNT");
	printa("%-16s %-50A %@8d\n", @);
}

profile:::tick-1sec
/$1 && ++seconds == $1/
{
	exit(0);
}
