#!/usr/sbin/dtrace -s
/*
 * biosnoop: disk requests with process, sector, latency and file
 *
 * Usage: dtrace -x tool=biosnoop
 *
 * With -c or -p: only this process, without its children.
 *
 * Example:
 *	# dtrace -x tool=biosnoop -c 'cat /usr/bin/python3'
 *	TIME(ms)   COMM           PID DISK      T       SECTOR    BYTES  LAT(us) FILE
 *	       4   cat           4712 vda       R      9441280   131072      311 /usr/bin/python3.11
 *	    1203   kworker/u4:1    77 vda       W      2215936     8192      520 /var/log/syslog
 */
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	begin = timestamp;
	printf("%-10s %-14s %6s %-8s %2s %12s %8s %8s %s\n", "TIME(ms)", "COMM", "PID", "DISK", "T",
	    "SECTOR", "BYTES", "LAT(us)", "FILE");
}

io:::start
/$target == 0 || pid == $target/
{
	since[arg0] = timestamp;
	who[arg0] = execname;
	number[arg0] = pid;
}

io:::done
/since[arg0]/
{
	printf("%8d   %-14s %6d %-8s %2s %12d %8d %8d %s\n", (timestamp - begin) / 1000000,
	    who[arg0], number[arg0],
	    args[1]->dev_statname, args[0]->b_flags & B_READ ? "R" : "W", args[0]->b_blkno,
	        args[0]->b_bcount,
	    (timestamp - since[arg0]) / 1000, args[2]->fi_pathname);
	since[arg0] = 0;
	who[arg0] = 0;
	number[arg0] = 0;
}
