#!/usr/sbin/dtrace -s
/*
 * tcptop: TCP connections with the most traffic, each second
 *
 * Usage: dtrace -x tool=tcptop [SECONDS] [LINES]
 *	SECONDS  end after so many seconds (default: at Ctrl-C)
 *	LINES    connections in each second (default: 20)
 *
 * Bytes of data, without headers; a retransmission counts again. The process is the last
 * that opened or closed the connection or sent on it; before that, 0.
 *
 * Example:
 *	# dtrace -x tool=tcptop
 *	2026 Nov 21 10:00:01
 *	   PID COMM         LOCAL                  PORT REMOTE                 PORT      SENT  RECEIVED
 *	  4712 peers        127.0.0.1             53548 127.0.0.1              8080     10000      5000
 */
#pragma D option quiet
#pragma D option defaultargs

/* A segment arrives before its socket is known: hence ports, not sockets. */
tcp:::state-change, tcp:::send
/args[1]->cs_pid/
{
	who[args[3]->tcps_lport, args[3]->tcps_rport] = pid;
	name[args[3]->tcps_lport, args[3]->tcps_rport] = execname;
}

tcp:::send
{
	this->bytes = args[2]->ip_plength - args[4]->tcp_offset;
	this->l = args[4]->tcp_sport;
	this->r = args[4]->tcp_dport;
	this->comm = who[this->l, this->r] ? name[this->l, this->r] : "-";
}

tcp:::send
/this->bytes > 0/
{
	@sent[who[this->l, this->r], this->comm, args[2]->ip_saddr, this->l,
	    args[2]->ip_daddr, this->r] = sum(this->bytes);
	@received[who[this->l, this->r], this->comm, args[2]->ip_saddr, this->l,
	    args[2]->ip_daddr, this->r] = sum(0);
}

tcp:::receive
{
	this->bytes = args[2]->ip_plength - args[4]->tcp_offset;
	this->l = args[4]->tcp_dport;
	this->r = args[4]->tcp_sport;
	this->comm = who[this->l, this->r] ? name[this->l, this->r] : "-";
}

tcp:::receive
/this->bytes > 0/
{
	@received[who[this->l, this->r], this->comm, args[2]->ip_daddr, this->l,
	    args[2]->ip_saddr, this->r] = sum(this->bytes);
	@sent[who[this->l, this->r], this->comm, args[2]->ip_daddr, this->l,
	    args[2]->ip_saddr, this->r] = sum(0);
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED/
{
	who[args[3]->tcps_lport, args[3]->tcps_rport] = 0;
	name[args[3]->tcps_lport, args[3]->tcps_rport] = NULL;
}

profile:::tick-1sec, dtrace:::END
/!$1 || seconds < $1/
{
	printf("%Y\n%6s %-12s %-21s %5s %-21s %5s %9s %9s\n", walltimestamp, "PID", "COMM", "LOCAL",
	    "PORT", "REMOTE", "PORT", "SENT", "RECEIVED");
	trunc(@sent, $2 ? $2 : 20);
	printa("%6d %-12s %-21s %5d %-21s %5d %@9d %@9d\n", @sent, @received);
	trunc(@sent);
	trunc(@received);
}

profile:::tick-1sec
/$1 && ++seconds == $1/
{
	exit(0);
}
