# tcp: connections of tests/fixture/peers, which prints the ports: over the loopback and between
# two network namespaces, with IPv4 and IPv6. Its sends are 10 of 1000 bytes from the client and 10
# of 500 from the server.
# @@needs: cmd:ip
cat >tcp.d <<'D'
#pragma D option quiet
int port, found, bad[string];
int32_t state[uint64_t];
uint32_t iss[string];

tcp:::state-change
/pid == $target && args[3]->tcps_state == TCP_STATE_LISTEN/
{
	port = args[3]->tcps_lport;
	bad["listen"] += args[5]->tcps_state != TCP_STATE_CLOSED || args[3]->tcps_laddr != $$1 ||
	    args[1]->cs_pid != pid;
}
tcp:::state-change
/args[3]->tcps_lport == port || args[3]->tcps_rport == port/
{
	this->who = args[3]->tcps_lport == port ? "server" : "client";
	bad["order"] += state[args[1]->cs_cid] && state[args[1]->cs_cid] != args[5]->tcps_state;
	state[args[1]->cs_cid] = args[3]->tcps_state;
	printf("%s: %s, was %s\n", this->who, tcp_state_string[args[3]->tcps_state],
	    tcp_state_string[args[5]->tcps_state]);
}

tcp:::connect-request, tcp:::connect-established, tcp:::accept-established
/args[4]->tcp_dport == port || args[4]->tcp_sport == port/
{
	this->from = args[4]->tcp_sport == port;
	printf("%s: flags %x, %d bytes, from the %s\n", probename, args[4]->tcp_flags,
	    args[2]->ip_plength - args[4]->tcp_offset,
	    this->from ? "server" : "client");
	client = this->from ? args[4]->tcp_dport : args[4]->tcp_sport;
	bad["client"] += client == 0;
	bad[probename] += args[2]->ip_saddr != (this->from ? $$1 : $$2) ||
	    args[2]->ip_daddr != (this->from ? $$2 : $$1);
	bad["socket"] += !args[1]->cs_cid ||
	    (probename != "accept-established" && args[1]->cs_pid != $target);
	bad["irs"] += probename == "connect-request" && args[3]->tcps_irs != 0;
	bad["numbers"] += probename == "connect-established" &&
	    args[4]->tcp_ack != iss["client"] + 1;
	bad["numbers"] += probename == "accept-established" &&
	    (args[4]->tcp_seq != iss["client"] + 1 || args[4]->tcp_ack != iss["server"] + 1);
}

tcp:::send, tcp:::receive
/args[4]->tcp_sport == port || args[4]->tcp_dport == port/
{
	this->end = args[4]->tcp_sport == port ? "server" : "client";
	this->len = args[2]->ip_plength - args[4]->tcp_offset;
	iss[this->end] = args[4]->tcp_flags & TH_SYN ? args[4]->tcp_seq : iss[this->end];
	@most[probename, this->end] =
	    max(this->len ? (int)(args[4]->tcp_seq + this->len - iss[this->end] - 1) : 0);
	bad["version"] += args[2]->ip_ver != $3;
	bad["address"] += args[2]->ip_saddr != (this->end == "server" ? $$1 : $$2);
	bad["to"] += args[2]->ip_daddr != (this->end == "server" ? $$2 : $$1);
	bad["offset"] += args[4]->tcp_offset < 20 || args[4]->tcp_offset > 60;
	bad["local"] += args[1]->cs_cid &&
	    args[3]->tcps_lport != (probename == "send" ? args[4]->tcp_sport : args[4]->tcp_dport);
	bad["remote"] += args[1]->cs_cid && args[3]->tcps_state != TCP_STATE_LISTEN &&
	    args[3]->tcps_raddr != (probename == "send" ? args[2]->ip_daddr : args[2]->ip_saddr);
	bad["laddr"] += args[1]->cs_cid &&
	    args[3]->tcps_laddr != (probename == "send" ? args[2]->ip_saddr : args[2]->ip_daddr);
}
/* What a connection knows of itself, when it sends data; the ends' counts are of the same bytes. */
tcp:::send
/args[4]->tcp_sport == port && args[2]->ip_plength > 500/
{
	bad["irs"] += args[3]->tcps_irs != iss["client"];
	bad["mss"] += args[3]->tcps_mss < 500 || args[3]->tcps_mss > 65536 ||
	    args[3]->tcps_cwnd < args[3]->tcps_mss;
	bad["windows"] += args[3]->tcps_swnd < 1000 || args[3]->tcps_rwnd < 1000 ||
	    args[3]->tcps_snd_ws > 14 || args[3]->tcps_rcv_ws > 14;
	bad["una"] += args[3]->tcps_suna > args[3]->tcps_snxt && args[3]->tcps_snxt > 10000;
	bad["ack"] += args[3]->tcps_rnxt != args[4]->tcp_ack;
	bad["state"] += args[3]->tcps_state != TCP_STATE_ESTABLISHED;
	bad["rto"] += args[3]->tcps_rto < 100 || args[3]->tcps_rto > 120000;
	bad["rtt"] += !args[3]->tcps_rtt;
	bad["is local"] += args[3]->tcps_local != $4;
	bad["ssthresh"] += args[3]->tcps_cwnd_ssthresh < args[3]->tcps_mss;
}
tcp:::receive
/args[4]->tcp_sport == port || args[4]->tcp_dport == port/
{
	found += args[1]->cs_cid != 0;
	missed += args[1]->cs_cid == 0;
}
/* The client's process is known since it connected, whoever runs when a packet arrives. */
tcp:::receive
/args[4]->tcp_sport == port && args[1]->cs_cid && args[3]->tcps_state == TCP_STATE_ESTABLISHED/
{
	owned += args[1]->cs_pid == $target;
	bad["socket"] += args[1]->cs_pid != $target;
}
END
{
	printa("%s from the %s: %@d bytes\n", @most);
	printf("found %d\n", found > 20 && !missed && owned > 5);
	printf("bad");
	printf(" %d%d%d%d", bad["listen"], bad["order"], bad["client"], bad["connect-request"]);
	printf(" %d%d%d%d", bad["connect-established"], bad["accept-established"],
	    bad["socket"], bad["numbers"]);
	printf(" %d%d%d%d", bad["version"], bad["address"], bad["to"], bad["offset"]);
	printf(" %d%d%d%d", bad["local"], bad["remote"], bad["laddr"], bad["irs"]);
	printf(" %d%d%d%d", bad["mss"], bad["windows"], bad["una"], bad["ack"]);
	printf(" %d%d%d%d%d\n", bad["state"], bad["rto"], bad["rtt"], bad["is local"],
	    bad["ssthresh"]);
}
D
# How a connection goes: the last steps are taken after the program's end.
cat >want <<'W'
accept-established: flags 10, 0 bytes, from the client
bad 0000 0000 0000 0000 0000 00000
client: state-established, was state-syn-sent
client: state-fin-wait-1, was state-established
client: state-syn-sent, was state-closed
connect-established: flags 12, 0 bytes, from the server
connect-request: flags 2, 0 bytes, from the client
receive from the client: 10000 bytes
receive from the server: 5000 bytes
send from the client: 10000 bytes
send from the server: 5000 bytes
server: state-close-wait, was state-established
server: state-established, was state-syn-received
server: state-last-ack, was state-close-wait
server: state-listen, was state-closed
server: state-syn-received, was state-listen
W
# Where functions can be traced, what comes in has its connection.
functions=0
[ "$($DTRACE -ln tcp:::receive | grep -c security_sock_rcv_skb)" = 0 ] || functions=1
# run SERVER CLIENT VERSION LOCAL [COMMAND...]
run() {
	server=$1 client=$2 version=$3 local=$4
	shift 4
	$DTRACE -s tcp.d -c "$* peers -a $server $space" "$server" "$client" $version $local >out
	grep -q "^found $functions" out || {
		echo "no connections for what was received over $server"
		cat out
	} | tee -a fail
	grep -v -e '^[0-9]' -e '^found' -e '^$' -e fin-wait-2 -e ': state-closed' out | sort >got
	diff want got >diff || { echo "over $server:"; cat diff; } | tee -a fail
}
space=
run 127.0.0.1 127.0.0.1 4 1
[ ! -e /proc/net/if_inet6 ] || run ::1 ::1 6 1
. "$FIXTURE/netns"
space="-N $b"
run 10.9.8.1 10.9.8.2 4 0 ip netns exec $a
[ ! -e /proc/net/if_inet6 ] || run fd00:9::1 fd00:9::2 6 0 ip netns exec $a
[ ! -s fail ]
