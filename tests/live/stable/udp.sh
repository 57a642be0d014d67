# udp: datagrams of tests/fixture/peers, over the loopback and between two network namespaces, with
# IPv4 and IPv6: one of a byte and 10 of 1000 from the client, 10 of 500 from the server. Those of
# 4000 bytes are sent in pieces, and are still one.
# @@needs: cmd:ip
cat >udp.d <<'D'
#pragma D option quiet
int server, client, bad[string];

udp:::send
/!server && args[1]->cs_pid == $target/
{
	server = args[4]->udp_dport;
	client = args[4]->udp_sport;
}
udp:::send, udp:::receive
/server && ((args[4]->udp_sport == client && args[4]->udp_dport == server) ||
    (args[4]->udp_sport == server && args[4]->udp_dport == client))/
{
	this->sends = probename == "send";
	this->out = args[4]->udp_sport == client;
	@n[probename, this->out ? "client" : "server", args[4]->udp_length] = count();
	bad["address"] += args[2]->ip_saddr != (this->out ? $$2 : $$1) ||
	    args[2]->ip_daddr != (this->out ? $$1 : $$2);
	bad["version"] += args[2]->ip_ver != $3;
	bad["length"] += args[2]->ip_plength != args[4]->udp_length && args[4]->udp_length < 1500;
	bad["packet"] += !args[0]->pkt_addr || !args[4]->udp_hdr;
	bad["socket"] += this->sends &&
	    (!args[1]->cs_cid || args[1]->cs_addr != args[3]->udps_addr);
	found += !this->sends && args[1]->cs_cid;
	bad["lport"] += args[1]->cs_cid &&
	    args[3]->udps_lport != (this->out == this->sends ? client : server);
	bad["rport"] += args[1]->cs_cid && args[3]->udps_rport &&
	    args[3]->udps_rport != (this->out == this->sends ? server : client);
	bad["laddr"] += args[1]->cs_cid &&
	    args[3]->udps_laddr != (this->out == this->sends ? $$2 : $$1);
	bad["raddr"] += args[1]->cs_cid && args[3]->udps_rport &&
	    args[3]->udps_raddr != (this->out == this->sends ? $$1 : $$2);
}
END
{
	printa("%s by the %s: %d bytes: %@d\n", @n);
	printf("found %d\n", found);
	printf("bad %d%d%d%d%d", bad["address"], bad["version"], bad["length"],
	    bad["packet"], bad["socket"]);
	printf("%d%d%d%d\n", bad["lport"], bad["rport"], bad["laddr"], bad["raddr"]);
}
D
# Where functions can be traced, what comes in has its socket.
found=0
[ "$($DTRACE -ln udp:::receive | grep -c enqueue)" = 0 ] || found=21
want() {
	for probe in receive send; do
		echo "$probe by the client: $(($1 + 8)) bytes: 10"
		echo "$probe by the client: 9 bytes: 1"
		echo "$probe by the server: $(($1 / 2 + 8)) bytes: 10"
	done
	echo "bad 000000000"
	echo "found $found"
}
# run SERVER CLIENT VERSION SIZE [COMMAND...]
run() {
	server=$1 client=$2 version=$3 size=$4
	shift 4
	want $size | sort >want
	$DTRACE -s udp.d \
		-c "$* peers -u -a $server -s $size $space" "$server" "$client" $version >out
	grep -v -e '^[0-9]' -e '^$' out | sort >got
	diff want got >diff || { echo "over $server:"; cat diff; } | tee -a fail
}
space=
run 127.0.0.1 127.0.0.1 4 1000
[ ! -e /proc/net/if_inet6 ] || run ::1 ::1 6 1000
. "$FIXTURE/netns"
space="-N $b"
run 10.9.8.1 10.9.8.2 4 1000 ip netns exec $a
run 10.9.8.1 10.9.8.2 4 4000 ip netns exec $a
[ ! -e /proc/net/if_inet6 ] || run fd00:9::1 fd00:9::2 6 1000 ip netns exec $a
[ ! -e /proc/net/if_inet6 ] || run fd00:9::1 fd00:9::2 6 4000 ip netns exec $a
[ ! -s fail ]
