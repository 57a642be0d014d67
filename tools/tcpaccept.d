#!/usr/sbin/dtrace -s
/*
 * tcpaccept: accepted TCP connections
 *
 * Usage: dtrace -x tool=tcpaccept
 *
 * Example:
 *	# dtrace -x tool=tcpaccept
 *	PID      COMM             REMOTE                    PORT LOCAL                     PORT
 *	24954    peers            127.0.0.1                48990 127.0.0.1                55713
 */
#pragma D option quiet

dtrace:::BEGIN
{
	printf("%-8s %-16s %-24s %5s %-24s %5s\n", "PID", "COMM", "REMOTE", "PORT", "LOCAL",
	    "PORT");
}

syscall::accept:return,
syscall::accept4:return
/arg1 >= 0 && fds[arg1].fi_fs == "sockfs"/
{
	this->sock = ((struct socket *)getf(arg1)->private_data)->sk;
	this->tcp = xlate <tcpsinfo_t *>(this->sock);
}

syscall::accept:return,
syscall::accept4:return
/this->sock && this->sock->sk_protocol == IPPROTO_TCP/
{
	printf("%-8d %-16s %-24s %5d %-24s %5d\n", pid, execname, this->tcp->tcps_raddr,
	    this->tcp->tcps_rport,
	    this->tcp->tcps_laddr, this->tcp->tcps_lport);
}
