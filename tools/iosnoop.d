#!/usr/sbin/dtrace -s
/*
 * iosnoop: disk requests as they start, with file
 *
 * Usage: dtrace -x tool=iosnoop [NAME]
 *	NAME  only programs of this name (default: all)
 *
 * biosnoop shows them when they are done, with their latency. With -c or -p: only this
 * process, without its children.
 *
 * Example:
 *	# dtrace -x tool=iosnoop -c 'dd if=file of=/dev/null iflag=direct bs=64k count=2'
 *	   UID    PID D        BLOCK     SIZE COMM         PATHNAME
 *	     0   4712 R      9441280    65536 dd           /root/file
 *	     0   4712 R      9441408    65536 dd           /root/file
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%6s %6s %s %12s %8s %-12s %s\n", "UID", "PID", "D", "BLOCK", "SIZE", "COMM",
	    "PATHNAME");
}

io:::start
/($target == 0 || pid == $target) && ($$1 == "" || $$1 == execname)/
{
	printf("%6d %6d %s %12d %8d %-12s %s\n", uid, pid, args[0]->b_flags & B_READ ? "R" : "W",
	    args[0]->b_blkno, args[0]->b_bcount, execname, args[2]->fi_pathname);
}
