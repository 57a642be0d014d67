#!/usr/sbin/dtrace -s
/*
 * funclat: latency of kernel functions as histograms
 *
 * Usage: dtrace -x tool=funclat FUNCTIONS
 *	FUNCTIONS  names of functions, as a glob, for example 'vfs_[rw]*'
 *
 * The time includes functions that are called. Nanoseconds. With -c or -p: only this
 * process and its descendants. Needs kprobes or fentry.
 *
 * Example:
 *	# dtrace -x tool=funclat 'vfs_[rw]*' -c 'ls /'
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
