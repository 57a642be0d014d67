#!/usr/sbin/dtrace -s
/*
 * Who writes a variable of a program: the function, with those that called it, and what was there afterwards. By a watchpoint of the CPU.
 * The argument names the object and the variable; a.out is the program.
 *
 *	dtrace -s whowrites.d -c './server -t' 'a.out:connections'
 *	dtrace -s whowrites.d -p 1234 'libfoo.so:foo_state'
 *
 * Sample:
 *	   1 in thread 4711
 *	              server`accept_one+0x42
 *	              server`serve+0x1b
 *	              libc.so.6`start_thread+0x305
 *	   0 in thread 4711
 *	              server`drop+0x17
 *	              server`serve+0x9c
 *	              libc.so.6`start_thread+0x305
 */
#pragma D option quiet

watch$target:$1:write
{
	printf("%4d in thread %d", arg1, tid);
	ustack(3);
}
