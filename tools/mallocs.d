#!/usr/sbin/dtrace -s
/*
 * mallocs: sizes of memory allocations of a process, by user stack
 *
 * Usage: dtrace -x tool=mallocs
 *
 * Requires -c or -p. Shows malloc(), calloc() and realloc() of the C library.
 *
 * Example:
 *	# dtrace -x tool=mallocs -c 'ls -l /usr/bin'
 *	              libc.so.6`calloc
 *	              libselinux.so.1`lgetfilecon_raw+0x23
 *	              libselinux.so.1`lgetfilecon+0x32
 *	              ls`0x171cc
 *	              ls`0x9695
 *	              ls`0xd42f
 *	              ls`0x4be5
 *	              libc.so.6`__libc_start_call_main+0x7a
 *	              libc.so.6`__libc_start_main+0x85
 *	              ls`0x61f1
 *
 *	           value  ------------- Distribution ------------- count
 *	             128 |                                         0
 *	             256 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 145
 *	             512 |                                         0
 */
pid$target:libc.so*:malloc:entry
{
	@[ustack(20)] = quantize(arg0);
}

pid$target:libc.so*:calloc:entry
{
	@[ustack(20)] = quantize(arg0 * arg1);
}

pid$target:libc.so*:realloc:entry
{
	@[ustack(20)] = quantize(arg1);
}
