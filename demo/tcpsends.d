#!/usr/sbin/dtrace -s
/*
 * Each send of TCP over IPv4: who sends, from where to where, and how many bytes; until ^C, or a command's end.
 *
 *	dtrace -s tcpsends.d
 *
 * Sample:
@SAMPLE tcpsends@
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
	this->from = ntohl(args->sk->__sk_common.skc_rcv_saddr);
	this->to = ntohl(args->sk->__sk_common.skc_daddr);
	printf("%-16s %6d %3d.%d.%d.%d:%-5d -> %3d.%d.%d.%d:%-5d %8d\n", execname, pid,
	    this->from >> 24, this->from >> 16 & 255, this->from >> 8 & 255, this->from & 255,
	    args->sk->__sk_common.skc_num,
	    this->to >> 24, this->to >> 16 & 255, this->to >> 8 & 255, this->to & 255,
	    ntohs(args->sk->__sk_common.skc_dport), args->size);
}
