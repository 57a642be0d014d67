#!/usr/sbin/dtrace -s
/*
 * mdflush: flushes of software RAID devices, with the process
 *
 * Usage: dtrace -x tool=mdflush
 *
 * A flush makes all disks of the array write their caches. Since Linux 5.12 those of a
 * partition of an array are not shown. With -c or -p: only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=mdflush
 *	TIME                    PID COMM         DEVICE
 *	2026 Nov 21 10:00:01   4712 sync         md127
 */
#pragma D option quiet
#pragma D option switchrate=10hz

/* The major number of md. */
inline int MD_MAJOR = 9;

dtrace:::BEGIN
{
	printf("%-20s %6s %-12s %s\n", "TIME", "PID", "COMM", "DEVICE");
}

/* The first letter of a request's kind is F where it begins with a flush. */
sdt:block::block_bio_queue
/args[0] >> 20 == MD_MAJOR && substr(stringof(args[3]), 0, 1) == "F" &&
    ($target == 0 || progenyof($target))/
{
	printf("%-20Y %6d %-12s md%d\n", walltimestamp, pid, execname, args[0] & 0xfffff);
}
