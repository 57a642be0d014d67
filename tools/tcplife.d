#!/usr/sbin/dtrace -s
/*
 * tcplife: TCP connections that end, with bytes and duration
 *
 * Usage: dtrace -x tool=tcplife
 *
 * A connection that existed before has no line. The process is that which opened or closed
 * the local end; 0 if neither was seen.
 *
 * Example:
 *	# dtrace -x tool=tcplife
 *	PID      COMM             LOCAL                  PORT REMOTE                 PORT      SENT  RECEIVED        MS
 *	28790    peers            127.0.0.1             42816 127.0.0.1             54843     20000     10001         0
 *	28790    peers            127.0.0.1             54843 127.0.0.1             42816     10000     20001         0
 */
#pragma D option quiet

dtrace:::BEGIN
{
	printf("%-8s %-16s %-21s %5s %-21s %5s %9s %9s %9s\n", "PID", "COMM", "LOCAL", "PORT",
	    "REMOTE", "PORT", "SENT",
	    "RECEIVED", "MS");
}

tcp:::state-change
/args[1]->cs_pid/
{
	who[args[1]->cs_cid] = pid;
	name[args[1]->cs_cid] = execname;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_ESTABLISHED/
{
	since[args[1]->cs_cid] = timestamp;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED && since[args[1]->cs_cid]/
{
	this->cid = args[1]->cs_cid;
	this->sock = (struct tcp_sock *)args[1]->cs_addr;
	printf("%-8d %-16s %-21s %5d %-21s %5d %9d %9d %9d\n", who[this->cid], name[this->cid],
	    args[3]->tcps_laddr,
	    args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport,
	        this->sock->bytes_sent - this->sock->bytes_retrans,
	    this->sock->bytes_received,
	    (timestamp - since[this->cid]) / 1000000);
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED/
{
	since[args[1]->cs_cid] = 0;
	who[args[1]->cs_cid] = 0;
	name[args[1]->cs_cid] = 0;
}
