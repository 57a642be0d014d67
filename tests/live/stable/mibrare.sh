# mib: what goes wrong in a network and is seldom, made by tests/fixture/stranger by hand; against
# the counts of the kernel. In a guest of ours there is no other traffic, and they are equal.
# @@needs: cmd:ip
. "$FIXTURE/netns"
for space in $a $b; do
	ip netns exec $space sh -c 'echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6' 2>/dev/null ||
		: # nothing is said by itself
done
ip netns exec $a sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward'
alone=
[ ! -e /sys/module/9pnet_virtio/refcnt ] || alone=yes
# What the kernel counts in the two namespaces: "Icmp InMsgs" and how many. Those without
# OutTransmits take what is passed on for requests.
counts() {
	for space in $a $b; do
		ip netns exec $space cat /proc/net/snmp /proc/net/netstat
	done | awk '$1 != proto { proto = $1; split($0, name); next }
		{ for (i = 2; i <= NF; i++) n[substr($1, 1, length($1) - 1) " " name[i]] += $i;
		proto = "" }
		END { if (!("Ip OutTransmits" in n)) n["Ip OutRequests"] -= n["Ip ForwDatagrams"];
			for (i in n) print i, n[i] }'
}
cat >twins <<'W'
icmpInMsgs Icmp InMsgs
icmpInEchos Icmp InEchos
icmpInEchoReps Icmp InEchoReps
icmpInRedirects Icmp InRedirects
icmpInTimeExcds Icmp InTimeExcds
icmpOutMsgs Icmp OutMsgs
icmpOutEchos Icmp OutEchos
icmpOutEchoReps Icmp OutEchoReps
icmpOutRedirects Icmp OutRedirects
icmpOutTimeExcds Icmp OutTimeExcds
ipInReceives Ip InReceives
ipOutRequests Ip OutRequests
ipForwDatagrams Ip ForwDatagrams
tcpActiveOpens Tcp ActiveOpens
tcpEstabResets Tcp EstabResets
tcpInSegs Tcp InSegs
tcpOutSegs Tcp OutSegs
tcpRetransSegs Tcp RetransSegs
tcpOutRsts Tcp OutRsts
icmpInDestUnreachs Icmp InDestUnreachs
icmpOutDestUnreachs Icmp OutDestUnreachs
udpOutDatagrams Udp OutDatagrams
tcpInDataUnorderSegs TcpExt TCPOFOQueue
W
cat >work <<W
ip netns exec $b stranger dtv1 $a
ip -n $b link set dtv1 down
ip netns exec $a peers -u -a 10.9.8.9 -o 9 -n 3 -s 100
W
counts >before
$DTRACE -qn 'mib::: { @[probename] = sum(arg0); } END { printa("%s %@d\n", @); }' -c 'sh work' >out
counts >after
grep -q '^acks [0-9]' out
# What the stranger knows, three datagrams that are lost because the device has no other end, and
# what is as much as the kernel counts.
{
	cat <<'W'
icmpInEchos 3
icmpInEchoReps 2
icmpInRedirects 1
icmpInTimeExcds 2
icmpInMsgs 8
icmpOutEchos 4
icmpOutEchoReps 3
icmpOutTimeExcds 1
ipForwDatagrams 3
ipIfStatsHCOutForwDatagrams 3
ipIfStatsOutDiscards 3
tcpActiveOpens 1
tcpEstabResets 1
tcpInSegs 7
tcpInDataInorderSegs 2
tcpInDataInorderBytes 200
tcpInDataUnorderSegs 1
tcpInDataUnorderBytes 100
tcpInDataDupSegs 1
tcpInDataDupBytes 100
tcpInDataPartDupSegs 1
tcpInDataPartDupBytes 50
tcpOutDataSegs 1
tcpOutDataBytes 200
W
	sed -n 's/^acks/tcpOutAck/p' out
	if [ "$alone" ]; then
		awk 'FILENAME == "before" { was[$1 " " $2] = $3; next }
			FILENAME == "after" { n[$1 " " $2] = $3 - was[$1 " " $2]; next }
			{ print $1, n[$2 " " $3] }
			END { print "tcpRetransBytes", n["Tcp RetransSegs"] * 200 }' \
			before after twins
	else
		printf '%s\n' 'icmpOutRedirects 1' 'tcpRetransSegs 1' 'tcpRetransBytes 200'
	fi
} >want
[ "$alone" ] && differs='!=' || differs='<'
grep -q '^tcpRetransSegs [1-9]' want
grep -q '^icmpOutRedirects [1-9]' want
sort -u want | awk 'FILENAME == "out" { n[$1] = $2; next }
	n[$1] '"$differs"' $2 + 0 { print $1, n[$1] + 0 ", not", $2; bad = 1 }
	END { exit bad }' out - || exit 1
