#!/usr/sbin/dtrace -s
/*
 * How full the queues of connections not yet accepted are when a SYN is answered, by how full they may be; until ^C, or
 * a command's end. Near the limit an application does not accept fast enough; at the limit SYNs are dropped.
 *
 *	dtrace -s tcpsynbl.d
 *
 * Sample:
 *	of at most 5:
 *	           value  ------------- Distribution ------------- count
 *	              -1 |                                         0
 *	               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1
 *	               1 |                                         0
 */
#pragma D option quiet

tcp:::send
/(args[4]->tcp_flags & (TH_SYN | TH_ACK)) == (TH_SYN | TH_ACK) && args[3]->tcps_state == TCP_STATE_NEW_SYN_RECEIVED/
{
	this->listener = ((struct request_sock *)args[1]->cs_addr)->__req_common.skc_listener;
	@[this->listener->sk_max_ack_backlog] = quantize(this->listener->sk_ack_backlog);
}

dtrace:::END
{
	printa("\nof at most %d:%@d", @);
}
