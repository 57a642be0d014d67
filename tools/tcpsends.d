#!/usr/sbin/dtrace -s
/*
 * tcpsends: sends over TCP on IPv4, with addresses and sizes
 *
 * Usage: dtrace -x tool=tcpsends
 *
 * With -c or -p: only this process and its descendants. Needs kprobes or fentry.
 *
 * Example:
 *	# dtrace -x tool=tcpsends
 *	PROCESS             PID                  FROM    TO                       BYTES
 *	tcp                 191       127.0.0.1:49208 ->       127.0.0.1:8080       100
 */
#pragma D option quiet

inline int AF_INET = 2;

dtrace:::BEGIN
{
	printf("%-16s %6s %21s    %-21s %8s\n", "PROCESS", "PID", "FROM", "TO", "BYTES");
}

fbt::tcp_sendmsg:entry
/args->sk->__sk_common.skc_family == AF_INET && ($target == 0 || progenyof($target))/
{
	printf("%-16s %6d %15s:%-5d -> %15s:%-5d %8d\n", execname, pid,
	    inet_ntoa(&args->sk->__sk_common.skc_rcv_saddr), args->sk->__sk_common.skc_num,
	    inet_ntoa(&args->sk->__sk_common.skc_daddr), ntohs(args->sk->__sk_common.skc_dport),
	        args->size);
}
