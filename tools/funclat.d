#!/usr/sbin/dtrace -s
/*
 * How long functions of the kernel take, in nanoseconds, by name; which ones the argument says, as a glob. Until ^C, or
 * a command's end. A function's time has that of those it calls in it.
 *
 *	dtrace -s funclat.d 'vfs_[rw]*'
 *	dtrace -s funclat.d 'tcp_*msg' -c 'curl -s http://localhost/'
 *
 * Sample:
 *	  vfs_write
 *	           value  ------------- Distribution ------------- count
 *	             512 |                                         0
 *	            1024 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   475
 *	            2048 |@@                                       22
 *	            4096 |                                         0
 *	            8192 |                                         1
 *	           16384 |                                         1
 */
#pragma D option quiet

fbt::$1:entry
/$target == 0 || progenyof($target)/
{
	start[tid, probefunc] = timestamp;
}

fbt::$1:return
/start[tid, probefunc]/
{
	@[probefunc] = quantize(timestamp - start[tid, probefunc]);
	start[tid, probefunc] = 0;
}
