#!/usr/sbin/dtrace -s
/*
 * biolatency: latency of disk requests as a histogram
 *
 * Usage: dtrace -x tool=biolatency [B] [m]
 *	B  a histogram for each disk
 *	m  milliseconds (default: microseconds)
 *
 * The arguments may be in any order. With -c or -p: only this process, without its
 * children.
 *
 * Example:
 *	# dtrace -x tool=biolatency B -c 'dd if=/dev/vda of=/dev/null iflag=direct bs=4k count=1000'
 *	  vda (us)
 *	           value  ------------- Distribution ------------- count
 *	              32 |                                         0
 *	              64 |@@@@@@@@@@@@@@@@@@@@@@@@@                621
 *	             128 |@@@@@@@@@@@@@@                           348
 *	             256 |@                                        29
 *	             512 |                                         2
 *	            1024 |                                         0
 */
#pragma D option quiet
#pragma D option defaultargs

dtrace:::BEGIN
{
	disks = $$1 == "B" || $$2 == "B";
	unit = $$1 == "m" || $$2 == "m" ? 1000000 : 1000;
}

io:::start
/$target == 0 || pid == $target/
{
	since[arg0] = timestamp;
}

io:::done
/since[arg0]/
{
	@[disks ? args[1]->dev_statname : "all disks", unit == 1000 ? "(us)" : "(ms)"] =
	    quantize((timestamp - since[arg0]) / unit);
	since[arg0] = 0;
}

dtrace:::END
{
	printa("  %s %s%@d\n", @);
}
