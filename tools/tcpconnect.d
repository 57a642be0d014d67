#!/usr/sbin/dtrace -s
/*
 * tcpconnect: TCP connections that processes open
 *
 * Usage: dtrace -x tool=tcpconnect
 *
 * Example:
 *	# dtrace -x tool=tcpconnect
 *	PID      COMM             IP FROM                     TO                        PORT
 *	24908    peers             4 127.0.0.1                127.0.0.1                60973
 *	24935    peers             6 ::1                      ::1                      57001
 */
#pragma D option quiet

dtrace:::BEGIN
{
	printf("%-8s %-16s %2s %-24s %-24s %5s\n", "PID", "COMM", "IP", "FROM", "TO", "PORT");
}

tcp:::connect-request
{
	printf("%-8d %-16s %2d %-24s %-24s %5d\n", pid, execname, args[2]->ip_ver,
	    args[2]->ip_saddr, args[2]->ip_daddr,
	    args[4]->tcp_dport);
}
