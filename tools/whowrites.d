#!/usr/sbin/dtrace -s
/*
 * whowrites: functions that write a variable of a process
 *
 * Usage: dtrace -x tool=whowrites OBJECT:VARIABLE
 *	OBJECT    file of the program or of a library; a.out is the program
 *	VARIABLE  a global variable of it
 *
 * Requires -c or -p. Uses a watchpoint of the CPU. Prints the new value, on aarch64 the old one.
 *
 * Example:
 *	# dtrace -x tool=whowrites -c './server -t' a.out:connections
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
