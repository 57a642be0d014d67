#!/usr/sbin/dtrace -s
/*
 * gethostlatency: lookups of host names with their duration
 *
 * Usage: dtrace -x tool=gethostlatency
 *
 * Traces getaddrinfo(), gethostbyname() and gethostbyname2() of the C library, also in
 * programs that start later. With -c or -p: only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=gethostlatency -c 'getent ahosts localhost'
 *	TIME                    PID COMM               US HOST
 *	2026 Nov 21 10:00:01   4712 getent            310 localhost
 */
#pragma D option quiet
#pragma D option zdefs
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%-20s %6s %-12s %8s %s\n", "TIME", "PID", "COMM", "US", "HOST");
}

pid*:libc.so*:getaddrinfo:entry, pid*:libc.so*:gethostbyname:entry,
pid*:libc.so*:gethostbyname2:entry
/arg0 && !self->start && ($target == 0 || progenyof($target))/
{
	self->host = arg0;
	self->start = timestamp;
}

pid*:libc.so*:getaddrinfo:return, pid*:libc.so*:gethostbyname:return,
pid*:libc.so*:gethostbyname2:return
/self->start/
{
	printf("%-20Y %6d %-12s %8d %s\n", walltimestamp, pid, execname,
	    (timestamp - self->start) / 1000, copyinstr(self->host));
	self->start = 0;
	self->host = 0;
}
