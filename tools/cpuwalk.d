#!/usr/sbin/dtrace -s
/*
 * Which CPUs are busy, sampled 99 times a second: is there work for one of them only? Until ^C, the command's end, or for
 * some seconds.
 *
 *	dtrace -s cpuwalk.d [SECONDS]
 *	dtrace -s cpuwalk.d -c 'make -j8'	the command's own time, not its children's
 *
 * Sample, a program with one thread that stays where it is:
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
