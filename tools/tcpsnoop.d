#!/usr/sbin/dtrace -s
/*
 * tcpsnoop: segments of TCP with addresses, bytes and flags
 *
 * Usage: dtrace -x tool=tcpsnoop [PORT]
 *	PORT  only segments of this local or remote port (default: all)
 *
 * FLAGS are letters: S (SYN), A (ACK), F (FIN), R (RST), P (PSH). Traces the whole
 * machine, because segments arrive in no process.
 *
 * Example:
 *	# dtrace -x tool=tcpsnoop 8080
 *	LOCAL                  PORT    REMOTE                 PORT    BYTES FLAGS
 *	127.0.0.1             53548 -> 127.0.0.1              8080        0 S....
 *	127.0.0.1              8080 <- 127.0.0.1             53548        0 S....
 *	127.0.0.1             53548 -> 127.0.0.1              8080      100 .A..P
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%-21s %5s    %-21s %5s %8s %s\n", "LOCAL", "PORT", "REMOTE", "PORT", "BYTES",
	    "FLAGS");
}

tcp:::send, tcp:::receive
{
	this->out = probename == "send";
	this->flags = args[4]->tcp_flags;
	this->port = this->out ? args[4]->tcp_sport : args[4]->tcp_dport;
	this->rport = this->out ? args[4]->tcp_dport : args[4]->tcp_sport;
}

tcp:::send, tcp:::receive
/$1 == 0 || this->port == $1 || this->rport == $1/
{
	printf("%-21s %5d %s %-21s %5d %8d %s%s%s%s%s\n",
	    this->out ? args[2]->ip_saddr : args[2]->ip_daddr, this->port, this->out ? "->" : "<-",
	    this->out ? args[2]->ip_daddr : args[2]->ip_saddr, this->rport,
	    args[2]->ip_plength - args[4]->tcp_offset, this->flags & TH_SYN ? "S" : ".",
	    this->flags & TH_ACK ? "A" : ".", this->flags & TH_FIN ? "F" : ".",
	    this->flags & TH_RST ? "R" : ".", this->flags & TH_PUSH ? "P" : ".");
}
