#!/usr/sbin/dtrace -s
/*
 * oomkill: processes that the kernel kills for lack of memory
 *
 * Usage: dtrace -x tool=oomkill
 *
 * Shows the process whose allocation failed, and the load average.
 *
 * Example:
 *	# dtrace -x tool=oomkill
 *	2026 Nov 21 10:00:01  make (4711) wanted memory: killed 4712, load 3.20
 */
#pragma D option quiet
#pragma D option switchrate=10hz

sdt:oom::mark_victim
{
	this->load = `hp_avenrun[0] * 100 / 65536;
	printf("%Y  %s (%d) wanted memory: killed %d, load %d.%02d\n", walltimestamp, execname, pid,
	    args->pid, this->load / 100,
	    this->load % 100);
}
