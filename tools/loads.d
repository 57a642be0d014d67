#!/usr/sbin/dtrace -s
/*
 * loads: load averages, each second
 *
 * Usage: dtrace -x tool=loads [SECONDS]
 *	SECONDS  end after so many seconds (default: at Ctrl-C)
 *
 * The averages of 1, 5 and 15 minutes, as uptime prints them.
 *
 * Example:
 *	# dtrace -x tool=loads 2
 *	2026 Nov 21 10:00:01  load averages: 0.42 0.31 0.28
 *	2026 Nov 21 10:00:02  load averages: 0.42 0.31 0.28
 */
#pragma D option quiet
#pragma D option defaultargs

profile:::tick-1sec
{
	this->one = `hp_avenrun[0] * 100 / 65536;
	this->five = `hp_avenrun[1] * 100 / 65536;
	this->fifteen = `hp_avenrun[2] * 100 / 65536;
	printf("%Y  load averages: %d.%02d %d.%02d %d.%02d\n", walltimestamp, this->one / 100,
	    this->one % 100, this->five / 100, this->five % 100, this->fifteen / 100,
	    this->fifteen % 100);
}

profile:::tick-1sec
/$1 && ++seconds == $1/
{
	exit(0);
}
