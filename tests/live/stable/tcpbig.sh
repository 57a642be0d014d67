# ip, tcp, mib: buffers of more than 64 KB, whose headers have no length, and with IPv6 an option
# before TCP. Data that tests/fixture/peers sends over the loopback: 5 * 400000 bytes from the
# client, half of that from the server. Kernels before 5.19 (IPv6) and 6.3 (IPv4) have none of them.
cat >big.d <<'D'
#pragma D option quiet
tcp:::state-change
/pid == $target && args[3]->tcps_state == TCP_STATE_LISTEN/
{
	port = args[3]->tcps_lport;
}
tcp:::send
/args[4]->tcp_sport == port || args[4]->tcp_dport == port/
{
	this->len = args[2]->ip_plength - args[4]->tcp_offset;
	@sent[args[4]->tcp_dport == port ? "client" : "server"] = sum(this->len);
	wrong += this->len > 400000;
}
ip:::send
/args[2]->ip_plength > 2000000/
{
	wrong++;
}
mib:::ipIfStatsHCOutOctets
/arg0 > 2000000/
{
	wrong++;
}
END
{
	printa("%s: %@d bytes\n", @sent);
	printf("wrong %d\n", wrong);
}
D
run() { $DTRACE -s big.d -c "peers $1 -s 400000 -n 5" | grep -e bytes -e wrong; }
run ''
[ ! -e /proc/net/if_inet6 ] || run '-a ::1' >six
[ ! -e six ] || diff six "$FIXTURE/../live/stable/tcpbig.out"
