#!/usr/sbin/dtrace -s
/*
 * Memory that a command asks malloc() for: how large the pieces are, by the stack that wants them.
 *
 *	dtrace -s mallocs.d -c 'ls -l /usr/bin'
 *
 * Sample:
 *	              libc.so.6`malloc
 *	              ls`xmalloc+0x9
 *	              ls`gobble_file.constprop.0+0x5e6
 *
 *	           value  ------------- Distribution ------------- count
 *	               2 |                                         0
 *	               4 |@@@@@@@                                  214
 *	               8 |@@@@@@@@@@@@@@@@@@@                      572
 *	              16 |@@@@@@@@@@@@@@                           405
 *	              32 |                                         0
 */

pid$target:libc.so*:malloc:entry
{
	@[ustack()] = quantize(arg0);
}

pid$target:libc.so*:calloc:entry
{
	@[ustack()] = quantize(arg0 * arg1);
}

pid$target:libc.so*:realloc:entry
{
	@[ustack()] = quantize(arg1);
}
