#!/usr/sbin/dtrace -s
/*
 * biostacks: latency of disk requests by the kernel stack that made them
 *
 * Usage: dtrace -x tool=biostacks [SECONDS]
 *	SECONDS  end after so many seconds (default: at Ctrl-C)
 *
 * Microseconds from when the request is queued until it is done. With -c or -p: only this
 * process, without its children.
 *
 * Example:
 *	# dtrace -x tool=biostacks -c 'dd if=/dev/vda of=/dev/null iflag=direct bs=64k count=100'
 *	              vmlinux`submit_bio_noacct_nocheck+0x1ae
 *	              vmlinux`__blkdev_direct_IO_async+0x15a
 *	              vmlinux`blkdev_read_iter+0xb1
 *	              vmlinux`vfs_read+0x25a
 *	              vmlinux`ksys_read+0x66
 *	
 *	           value  ------------- Distribution ------------- count
 *	              64 |                                         0
 *	             128 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@  98
 *	             256 |@                                        2
 *	             512 |                                         0
 */
#pragma D option quiet
#pragma D option defaultargs

sdt:block::block_bio_queue
/$target == 0 || pid == $target/
{
	since[args->dev, args->sector] = timestamp;
	at[args->dev, args->sector] = stack();
}

sdt:block::block_rq_complete
/since[args->dev, args->sector]/
{
	@[at[args->dev, args->sector]] =
	    quantize((timestamp - since[args->dev, args->sector]) / 1000);
	since[args->dev, args->sector] = 0;
	at[args->dev, args->sector] = 0;
}

profile:::tick-1sec
/$1 && ++seconds == $1/
{
	exit(0);
}
