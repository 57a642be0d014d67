#!/usr/sbin/dtrace -s
/*
 * backlog: fullest accept queues of TCP listeners, by limit
 *
 * Usage: dtrace -x tool=backlog
 *
 * Counts connections over IPv4 of the whole machine, because packets arrive in no process.
 *
 * Ends after ten seconds, or with the command of -c. Needs kprobes or fentry.
 *
 * Example:
 *	# dtrace -x tool=backlog
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
