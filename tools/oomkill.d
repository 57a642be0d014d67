#!/usr/sbin/dtrace -s
/*
 * When memory ends: whom the kernel kills, whose wish for memory was the reason, and how loaded the machine was.
 *
 *	dtrace -s oomkill.d
 *
 * Sample:
 *	2026 Nov 21 10:00:01  make (4711) wanted memory: killed 4712, load 3.20
 */
#pragma D option quiet
#pragma D option switchrate=10hz

sdt:oom::mark_victim
{
	this->load = `hp_avenrun[0] * 100 / 65536;
	printf("%Y  %s (%d) wanted memory: killed %d, load %d.%02d\n", walltimestamp, execname, pid, args->pid, this->load / 100,
	    this->load % 100);
}
