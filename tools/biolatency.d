#!/usr/sbin/dtrace -s
/*
 * How long disks take: from when a request is handed to the driver until it is done, in microseconds. Arguments, in any
 * order: B tells disks apart, m is for milliseconds. Until ^C or the command's end.
 *
 *	dtrace -s biolatency.d [B] [m]
 *	dtrace -s biolatency.d -c 'dd if=/dev/sda of=/dev/null iflag=direct bs=4k count=1000' B
 *
 * Sample:
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
	@[disks ? args[1]->dev_statname : "all disks", unit == 1000 ? "(us)" : "(ms)"] = quantize((timestamp - since[arg0]) / unit);
	since[arg0] = 0;
}

dtrace:::END
{
	printa("  %s %s%@d\n", @);
}
