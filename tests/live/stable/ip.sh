# ip: packets between two network namespaces, of datagrams that tests/fixture/peers sends: three
# pieces for 4000 bytes, seen once when they go and once when they come, with every member of the
# headers. And packets that are thrown away.
# @@needs: cmd:ip
. "$FIXTURE/netns"
cat >four.d <<'D'
#pragma D option quiet
int ident, bad[string];
ip:::send, ip:::receive
/args[2]->ip_saddr == "10.9.8.1" && args[2]->ip_daddr == "10.9.8.2" &&
    args[4]->ipv4_protostr == "UDP"/
{
	printf("%s %s: %d bytes, offset %d, more %d\n", probename, args[3]->if_name,
	    args[2]->ip_plength, args[4]->ipv4_offset,
	    (args[4]->ipv4_flags & IPH_MF) != 0);
	bad["ver"] += args[2]->ip_ver != 4 || args[4]->ipv4_ver != 4 || args[5]->ipv6_ver != 0;
	bad["ihl"] += args[4]->ipv4_ihl != 20 || args[4]->ipv4_length != args[2]->ip_plength + 20 ||
	    args[4]->ipv4_tos;
	bad["protocol"] += args[4]->ipv4_protocol != IPPROTO_UDP || args[4]->ipv4_ttl != 64;
	bad["ident"] += ident && args[4]->ipv4_ident != ident;
	bad["checksum"] += !args[4]->ipv4_checksum;
	ident = args[4]->ipv4_ident;
	bad["src"] += args[4]->ipv4_src != htonl(0x0a090801) ||
	    args[4]->ipv4_dst != htonl(0x0a090802);
	bad["saddr"] += args[4]->ipv4_saddr != args[2]->ip_saddr ||
	    args[4]->ipv4_daddr != args[2]->ip_daddr;
	bad["hdr"] += ntohs(args[4]->ipv4_hdr->tot_len) != args[4]->ipv4_length ||
	    !args[0]->pkt_addr;
	bad["if"] += args[3]->if_local || !args[3]->if_addr || !args[3]->if_ipstack;
	bad["empty"] += args[5]->ipv6_saddr != "" || args[5]->ipv6_hdr || args[5]->ipv6_plen;
	bad["socket"] += probename == "send" && !args[1]->cs_cid && !args[4]->ipv4_offset;
}
END { printf("bad %d %d %d %d %d", bad["ver"], bad["ihl"], bad["protocol"],
    bad["ident"], bad["checksum"]);
	printf(" %d %d %d %d %d %d\n", bad["src"], bad["saddr"], bad["hdr"], bad["if"],
	    bad["empty"], bad["socket"]); }
D
cat >six.d <<'D'
#pragma D option quiet
int ident, bad[string];
ip:::send, ip:::receive
/args[2]->ip_saddr == "fd00:9::1" && args[2]->ip_daddr == "fd00:9::2" &&
    args[5]->ipv6_nextstr == "UDP"/
{
	printf("%s %s: %d bytes\n", probename, args[3]->if_name, args[2]->ip_plength);
	bad["ver"] += args[2]->ip_ver != 6 || args[5]->ipv6_ver != 6 || args[4]->ipv4_ver != 0;
	bad["plen"] += args[5]->ipv6_plen != args[2]->ip_plength || args[5]->ipv6_tclass ||
	    args[5]->ipv6_flow > 0xfffff;
	bad["next"] += args[5]->ipv6_nexthdr != IPPROTO_UDP || args[5]->ipv6_hlim != 64;
	bad["src"] += inet_ntoa6(args[5]->ipv6_src) != "fd00:9::1" ||
	    inet_ntoa6(args[5]->ipv6_dst) != "fd00:9::2";
	bad["saddr"] += args[5]->ipv6_saddr != args[2]->ip_saddr ||
	    args[5]->ipv6_daddr != args[2]->ip_daddr;
	bad["hdr"] += ntohs(args[5]->ipv6_hdr->payload_len) != args[5]->ipv6_plen;
	bad["empty"] += args[4]->ipv4_saddr != "" || args[4]->ipv4_hdr || args[4]->ipv4_length;
}
END { printf("bad %d %d %d %d", bad["ver"], bad["plen"], bad["next"], bad["src"]);
	printf(" %d %d %d\n", bad["saddr"], bad["hdr"], bad["empty"]); }
D
cat >want4 <<'W'
receive dtv1: 1048 bytes, offset 2960, more 0
receive dtv1: 1480 bytes, offset 0, more 1
receive dtv1: 1480 bytes, offset 1480, more 1
send dtv0: 1048 bytes, offset 2960, more 0
send dtv0: 1480 bytes, offset 0, more 1
send dtv0: 1480 bytes, offset 1480, more 1
W
cat >want6 <<'W'
receive dtv1: 1008 bytes
send dtv0: 1008 bytes
W
run() {
	$DTRACE -s $1.d -c "ip netns exec $a peers -u -a $3 -o 9 -n 1 -s $4" >out
	grep '^bad 0[ 0]*$' out || cat out
	grep -e ^send -e ^receive out | sort | diff $2 - || cat out
}
run four want4 10.9.8.2 4000
[ ! -e /proc/net/if_inet6 ] || run six want6 fd00:9::2 1000 >six.out
[ ! -e six.out ] || echo "bad 0 0 0 0 0 0 0" | diff - six.out

# Nothing listens there: a SYN that came in is dropped, and the kernel says why. Nothing goes out
# on a link that is down.
$DTRACE -qn 'ip:::drop-in
/args[2]->ip_daddr == "10.9.8.2" && args[4]->ipv4_protostr == "TCP" &&
	((struct tcphdr *)(args[4]->ipv4_hdr + 1))->dest == htons(9)/
	{ in = args[2]->ip_plength >= 20; from = args[2]->ip_saddr;
		why = exists(SKB_DROP_REASON_NO_SOCKET) ?
		args[6] == SKB_DROP_REASON_NO_SOCKET : args[6] == 0; }
	END { printf("dropped %d, from %s, reason %d\n", in, from, why); }' \
	-c "ip netns exec $a peers -a 10.9.8.2 -o 9"
ip -n $b link set dtv1 down
$DTRACE -qn 'ip:::drop-out
/args[2]->ip_daddr == "10.9.8.9" && args[4]->ipv4_protostr == "UDP"/
	{ n++; len = args[2]->ip_plength; dev = args[3]->if_name; }
	END { printf("not sent %d, %d bytes, %s\n", n, len, dev); }' \
	-c "ip netns exec $a peers -u -a 10.9.8.9 -o 9 -n 3 -s 100"
