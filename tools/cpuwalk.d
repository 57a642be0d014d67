#!/usr/sbin/dtrace -s
/*
 * cpuwalk: CPUs that are busy, sampled 99 times a second
 *
 * Usage: dtrace -x tool=cpuwalk [SECONDS]
 *	SECONDS  end after so many seconds (default: at Ctrl-C)
 *
 * Shows whether work is spread over CPUs. With -c or -p: only this process, without its
 * children.
 *
 * Example:
 *	# dtrace -x tool=cpuwalk 10
 *	           value  ------------- Distribution ------------- count
 *	             < 0 |                                         0
 *	               0 |                                         2
 *	               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@  97
 *	               2 |                                         0
 */
#pragma D option quiet
#pragma D option defaultargs

profile:::profile-99
/pid && ($target == 0 || pid == $target)/
{
	@ = lquantize(cpu, 0, 1024, 1);
}

profile:::tick-1sec
/$1 && ++seconds == $1/
{
	exit(0);
}
