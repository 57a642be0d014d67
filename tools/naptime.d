#!/usr/sbin/dtrace -s
/*
 * naptime: sleeps that programs ask for, with their duration
 *
 * Usage: dtrace -x tool=naptime [NAME]
 *	NAME  only programs of this name (default: all)
 *
 * Covers nanosleep and relative clock_nanosleep. SECONDS is what was asked for. With -c or
 * -p: only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=naptime -c 'sh -c "sleep 0.1"'
 *	TIME                   PPID PARENT          PID COMM           SECONDS
 *	2026 Nov 21 10:00:01   4711 sh             4712 sleep           0.100
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%-20s %6s %-12s %6s %-12s %9s\n", "TIME", "PPID", "PARENT", "PID", "COMM",
	    "SECONDS");
}

syscall::nanosleep:entry
/($target == 0 ? pid != $pid : progenyof($target)) && ($$1 == "" || $$1 == execname)/
{
	self->time = arg0;
}

/* 1: TIMER_ABSTIME, the argument is a time of day. */
syscall::clock_nanosleep:entry
/!(arg1 & 1) && ($target == 0 ? pid != $pid : progenyof($target)) && ($$1 == "" || $$1 == execname)/
{
	self->time = arg2;
}

syscall::nanosleep:entry, syscall::clock_nanosleep:entry
/self->time/
{
	this->time = (int64_t *)copyin(self->time, 16);
	printf("%-20Y %6d %-12s %6d %-12s %5d.%03d\n", walltimestamp, ppid,
	    stringof(curthread->real_parent->comm), pid, execname, this->time[0],
	    this->time[1] / 1000000);
	self->time = 0;
}
