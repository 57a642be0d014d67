# tcp: connections that come to nothing: the port is closed, with IPv4 and IPv6; and the host does
# not exist, so the SYN is sent again.
# @@needs: cmd:ip
cat >refused.d <<'D'
#pragma D option quiet
int port, bad[string];
tcp:::connect-request
/args[1]->cs_pid == $target/
{
	port = args[4]->tcp_dport;
	cid = args[1]->cs_cid;
	seq = args[4]->tcp_seq;
	printf("asked: flags %x, pid %d\n", args[4]->tcp_flags, pid == $target);
	bad["asked"] += args[3]->tcps_state != TCP_STATE_SYN_SENT || args[3]->tcps_rport != port ||
	    args[3]->tcps_raddr != $$1;
}
tcp:::receive
/port && args[4]->tcp_dport == port/
{
	received++;
	bad["no socket"] += args[1]->cs_cid || args[3]->tcps_lport ||
	    args[4]->tcp_flags != TH_SYN || args[2]->ip_daddr != $$1;
}
tcp:::accept-refused
/port && args[4]->tcp_sport == port/
{
	printf("refused: flags %x, ver %d, %d bytes\n", args[4]->tcp_flags, args[2]->ip_ver,
	    args[2]->ip_plength - args[4]->tcp_offset);
	bad["refused"] += args[2]->ip_saddr != $$1 || args[2]->ip_daddr != $$1 ||
	    args[4]->tcp_ack != seq + 1 || args[1]->cs_cid;
	bad["no socket"] += args[3]->tcps_lport != port || args[3]->tcps_laddr != $$1 ||
	    args[3]->tcps_mss;
}
tcp:::connect-refused
/args[1]->cs_cid == cid/
{
	printf("was refused: flags %x, ver %d\n", args[4]->tcp_flags, args[2]->ip_ver);
	bad["was"] += args[4]->tcp_sport != port || args[2]->ip_saddr != $$1 ||
	    args[4]->tcp_ack != seq + 1;
	bad["state"] += args[3]->tcps_state != TCP_STATE_SYN_SENT;
}
tcp:::state-change
/port && args[1]->cs_cid == cid/
{
	printf("%s, was %s\n", tcp_state_string[args[3]->tcps_state],
	    tcp_state_string[args[5]->tcps_state]);
}
END { printf("received %d, bad %d %d %d %d %d\n", received, bad["asked"], bad["refused"],
    bad["no socket"], bad["was"], bad["state"]); }
D
cat >want <<'W'
asked: flags 2, pid 1
refused: flags 14, ver V, 0 bytes
was refused: flags 14, ver V
state-closed, was state-syn-sent
received 1, bad 0 0 0 0 0
W
for address in 127.0.0.1 ::1; do
	case $address in
	*:*) [ -e /proc/net/if_inet6 ] || continue; version=6 ;;
	*) version=4 ;;
	esac
	$DTRACE -s refused.d -c "peers -r -a $address" $address | grep . >out
	sed s/V/$version/ want | diff - out
done
. "$FIXTURE/netns"
$DTRACE -qn 'tcp:::connect-request /args[4]->tcp_dport == 7/ { asked++;
	seq = args[4]->tcp_seq; cid = args[1]->cs_cid; }
	tcp:::send /args[4]->tcp_dport == 7/ { sent++;
		bad += args[4]->tcp_flags != TH_SYN || args[2]->ip_daddr != "10.9.8.9"; }
	tcp:::retransmit /cid && args[1]->cs_cid == cid/
	{
		again++;
		bad += args[4]->tcp_seq != seq || args[4]->tcp_flags != TH_SYN ||
		    args[4]->tcp_dport != 7 || args[2]->ip_daddr != "10.9.8.9";
		bad += args[2]->ip_saddr != "10.9.8.1" || args[3]->tcps_raddr != "10.9.8.9" ||
		    args[3]->tcps_state != TCP_STATE_SYN_SENT;
		bad += !args[3]->tcps_retransmit || args[0]->pkt_addr == 0;
	}
	tcp:::rto /cid && args[1]->cs_cid == cid/
	{
		rto++;
		bad += args[4]->tcp_seq != seq || args[4]->tcp_flags != TH_SYN ||
		    args[4]->tcp_dport != 7 || args[2]->ip_daddr != "10.9.8.9";
		bad += args[3]->tcps_raddr != "10.9.8.9" ||
		    args[3]->tcps_state != TCP_STATE_SYN_SENT || !args[3]->tcps_retransmit;
		bad += args[3]->tcps_rto < 1000 || rto != again + 1;
	}
	END { printf("asked %d, again %d, sent %d, timeouts %d, bad %d\n", asked, again > 0,
		sent == asked + again, rto == again || rto == again + 1, bad); }' \
	-c "ip netns exec $a peers -a 10.9.8.9 -o 7"
