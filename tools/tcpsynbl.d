#!/usr/sbin/dtrace -s
/*
 * tcpsynbl: length of accept queues at each SYN, by limit
 *
 * Usage: dtrace -x tool=tcpsynbl
 *
 * At the limit, SYNs are dropped: the application does not accept connections fast enough.
 *
 * Example:
 *	# dtrace -x tool=tcpsynbl
 *	of at most 5:
 *	           value  ------------- Distribution ------------- count
 *	              -1 |                                         0
 *	               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1
 *	               1 |                                         0
 */
#pragma D option quiet

tcp:::send
/(args[4]->tcp_flags & (TH_SYN | TH_ACK)) == (TH_SYN | TH_ACK) &&
    args[3]->tcps_state == TCP_STATE_NEW_SYN_RECEIVED/
{
	this->listener = ((struct request_sock *)args[1]->cs_addr)->__req_common.skc_listener;
	@[this->listener->sk_max_ack_backlog] = quantize(this->listener->sk_ack_backlog);
}

dtrace:::END
{
	printa("\nof at most %d:%@d", @);
}
