#!/usr/sbin/dtrace -s
/*
 * threadsnoop: threads that programs create, with the function they run
 *
 * Usage: dtrace -x tool=threadsnoop
 *
 * Traces pthread_create() of the C library, also in programs that start later. An address
 * is the function of a program that ended before it could be looked up. With -c or -p:
 * only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=threadsnoop
 *	TIME                    PID COMM         FUNCTION
 *	2026 Nov 21 10:00:01   4712 server       server`serve
 */
#pragma D option quiet
#pragma D option zdefs
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%-20s %6s %-12s %s\n", "TIME", "PID", "COMM", "FUNCTION");
}

/* Until glibc 2.33 the function is in libpthread. */
pid*:libc.so*:pthread_create:entry, pid*:libpthread*:pthread_create:entry
/$target == 0 || progenyof($target)/
{
	printf("%-20Y %6d %-12s %A\n", walltimestamp, pid, execname, arg2);
}
