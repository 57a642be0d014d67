#!/usr/sbin/dtrace -s
/*
 * tcpretrans: retransmitted TCP segments
 *
 * Usage: dtrace -x tool=tcpretrans
 *
 * RTO is the retransmission timeout, WINDOW the congestion window in segments.
 *
 * Example:
 *	# dtrace -x tool=tcpretrans
 *	TIME                 LOCAL                  PORT    REMOTE                 PORT STATE               RTO(ms)   WINDOW
 *	2026 Nov 21 15:00:57 10.9.8.1              38586 -> 10.9.8.9                  7 state-syn-sent         1000      524
 */
#pragma D option quiet

dtrace:::BEGIN
{
	printf("%-20s %-21s %5s    %-21s %5s %-18s %8s %8s\n", "TIME", "LOCAL", "PORT", "REMOTE",
	    "PORT", "STATE", "RTO(ms)", "WINDOW");
}

tcp:::retransmit
{
	printf("%-20Y %-21s %5d -> %-21s %5d %-18s %8d %8d\n", walltimestamp, args[3]->tcps_laddr,
	    args[3]->tcps_lport,
	    args[3]->tcps_raddr, args[3]->tcps_rport, tcp_state_string[args[3]->tcps_state],
	        args[3]->tcps_rto, args[3]->tcps_cwnd);
}
