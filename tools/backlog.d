#!/usr/sbin/dtrace -s
/*
 * How full the queues of connections not yet accepted became, by how full they may be, when a connection came in over
 * IPv4; for ten seconds, or a command. The whole machine's: packets come in on behalf of nobody.
 *
 *	dtrace -s backlog.d
 *
 * Sample:
 *	       LIMIT         MOST  CONNECTIONS
 *	           7            0            5
 */
#pragma D option quiet

fbt::tcp_v4_syn_recv_sock:entry
{
	@[args[0]->sk_max_ack_backlog] = max(args[0]->sk_ack_backlog);
	@n[args[0]->sk_max_ack_backlog] = count();
}

profile:::tick-10sec
{
	exit(0);
}

dtrace:::END
{
	printf("%12s %12s %12s\n", "LIMIT", "MOST", "CONNECTIONS");
	printa("%12d %@12d %@12d\n", @, @n);
}
