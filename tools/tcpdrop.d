#!/usr/sbin/dtrace -s
/*
 * tcpdrop: TCP segments that the kernel drops, with reason and stack
 *
 * Usage: dtrace -x tool=tcpdrop
 *
 * Reasons require Linux 5.17 or later.
 *
 * Example:
 *	# dtrace -x tool=tcpdrop
 *	2026 Nov 21 15:00:58 drop-in: 127.0.0.1:53548 -> 127.0.0.1:50903, flags 2, NO_SOCKET
 *	              vmlinux`sk_skb_reason_drop+0x90
 *	              vmlinux`tcp_v4_rcv+0x91
 *	              vmlinux`ip_protocol_deliver_rcu+0x28
 *	              vmlinux`ip_local_deliver_finish+0x81
 */
#pragma D option quiet
#pragma D option stackframes=8

ip:::drop-in,
ip:::drop-out
/args[4]->ipv4_protocol == IPPROTO_TCP || args[5]->ipv6_nexthdr == IPPROTO_TCP/
{
	this->at = args[2]->ip_ver == 4 ? (uintptr_t)args[4]->ipv4_hdr + args[4]->ipv4_ihl :
	    (uintptr_t)(args[5]->ipv6_hdr + 1);
	this->tcp = xlate <tcpinfo_t *>((struct tcphdr *)this->at);
	printf("%Y %s: %s:%d -> %s:%d, flags %x, %s", walltimestamp, probename, args[2]->ip_saddr,
	    this->tcp->tcp_sport,
	    args[2]->ip_daddr, this->tcp->tcp_dport, this->tcp->tcp_flags, ip_drop_string[args[6]]);
	stack();
}
