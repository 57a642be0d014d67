#!/usr/sbin/dtrace -s
/*
 * bitesize: sizes of disk requests by program, as histograms
 *
 * Usage: dtrace -x tool=bitesize
 *
 * With -c or -p: only this process, without its children.
 *
 * Example:
 *	# dtrace -x tool=bitesize -c 'dd if=/dev/sda of=/dev/null iflag=direct bs=8k count=100'
 *	  dd                                                  R
 *	           value  ------------- Distribution ------------- count
 *	            4096 |                                         0
 *	            8192 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 100
 *	           16384 |                                         0
 */
#pragma D option quiet

io:::start
/$target == 0 || pid == $target/
{
	@[execname, args[0]->b_flags & B_READ ? "R" : "W"] = quantize(args[0]->b_bcount);
}
