#!/usr/sbin/dtrace -s
/*
 * In which sizes programs read from and write to disks, in bytes; until ^C or the command's end.
 *
 *	dtrace -s bitesize.d
 *	dtrace -s bitesize.d -c 'dd if=/dev/sda of=/dev/null iflag=direct bs=8k count=100'
 *
 * Sample:
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
