#!/usr/sbin/dtrace -s
/*
 * writeback: writes of dirty pages to disks, with reason and duration
 *
 * Usage: dtrace -x tool=writeback
 *
 * Shows the work of the kernel's threads for each disk. PAGES is how many were written.
 *
 * Example:
 *	# dtrace -x tool=writeback
 *	TIME                 DISK       REASON               PAGES       US
 *	2026 Nov 21 10:00:01 254:0      periodic                14      612
 *	2026 Nov 21 10:00:03 254:0      sync                   256     2870
 */
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%-20s %-10s %-16s %9s %8s\n", "TIME", "DISK", "REASON", "PAGES", "US");
	reason[0] = "background";
	reason[1] = "vmscan";
	reason[2] = "sync";
	reason[3] = "periodic";
	reason[4] = "laptop timer";
	reason[5] = "free memory";
	reason[6] = "forker thread";
	reason[7] = "foreign flush";
}

sdt:writeback::writeback_start
{
	self->start = timestamp;
	self->pages = args->nr_pages;
}

/* Several of these may follow one start. */
sdt:writeback::writeback_written
/self->start/
{
	printf("%-20Y %-10s %-16s %9d %8d\n", walltimestamp, stringof(args->name),
	    reason[args->reason], self->pages - args->nr_pages, (timestamp - self->start) / 1000);
	self->start = timestamp;
	self->pages = args->nr_pages;
}
