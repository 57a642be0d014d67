# ip, tcp, mib: buffers of more than 64 KB, whose headers have no length, and with IPv6 an option
# before TCP. Data that tests/fixture/peers sends over the loopback: 5 * 400000 bytes from the
# client, half of that from the server. Kernels before 5.19 (IPv6) and 6.3 (IPv4) have none of them.
cat >big.d <<'D'
#pragma D option quiet
uint32_t next[string];
int64_t sent[string];
tcp:::state-change
/pid == $target && args[3]->tcps_state == TCP_STATE_LISTEN/
{
	port = args[3]->tcps_lport;
}
tcp:::send
/args[4]->tcp_sport == port || args[4]->tcp_dport == port/
{
	this->len = args[2]->ip_plength - args[4]->tcp_offset;
	this->end = args[4]->tcp_dport == port ? "client" : "server";
	this->seq = args[4]->tcp_seq;
	wrong += this->len > 400000;
}
/* What is sent again is not new. No segment begins beyond the end that a length gave the last. */
tcp:::send
/(args[4]->tcp_sport == port || args[4]->tcp_dport == port) && this->len/
{
	this->next = sent[this->end] ? next[this->end] : this->seq;
	this->new = (int)(this->seq + this->len - this->next);
	wrong += (int)(this->seq - this->next) > 0;
	next[this->end] = this->new > 0 ? this->seq + this->len : this->next;
	sent[this->end] += this->new > 0 ? this->new : 0;
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
	printf("server: %d bytes\nclient: %d bytes\n", sent["server"], sent["client"]);
	printf("wrong %d\n", wrong);
}
D
run() { $DTRACE -s big.d -c "peers $1 -s 400000 -n 5" | grep -e bytes -e wrong; }
run ''
[ ! -e /proc/net/if_inet6 ] || run '-a ::1' >six
[ ! -e six ] || diff six "$FIXTURE/../live/stable/tcpbig.out"
