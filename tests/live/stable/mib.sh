# mib: counters go up for what tests/fixture/peers does. They are the whole machine's, so others
# may make them go up, too; only what is seen in the process is just as much.
# @@needs: cmd:ip
# @@status: 1
. "$FIXTURE/netns"
cat >work <<W
peers -s 1000 -n 10
peers -u -s 1000 -n 10
peers -r
peers -u -r -n 200
peers -u -o 9 -n 2
ip netns exec $a peers -a 10.9.8.9 -o 7
ip netns exec $a peers -u -a 10.9.8.2 -o 9 -n 1 -s 4000
W
cat >want <<'W'
icmpInDestUnreachs 2
icmpInMsgs 2
icmpOutDestUnreachs 2
icmpOutMsgs 2
ipIfStatsHCInOctets 35000
ipIfStatsHCInReceives 50
ipIfStatsHCOutOctets 35000
ipIfStatsHCOutRequests 50
ipIfStatsHCOutTransmits 50
ipInReceives 50
ipOutRequests 50
tcpActiveOpens 3
tcpAttemptFails 2
tcpInDataInorderBytes 15000
tcpInDataInorderSegs 20
tcpInSegs 25
tcpOutControl 6
tcpOutDataBytes 15000
tcpOutDataSegs 20
tcpOutRsts 1
tcpOutSegs 25
tcpPassiveOpens 1
tcpRetransSegs 1
udpHCInDatagrams 21
udpHCOutDatagrams 223
udpInDatagrams 21
udpInErrors 100
udpInOverflows 100
udpOutDatagrams 223
W
$DTRACE -qn 'mib::: { @[probename] = sum(arg0); }
	mib:::tcpActiveOpens /progenyof($target)/ { opens += args[0]; }
	END { printa("%s %@d\n", @); printf("ours %d\n", opens); }' -c 'sh work' >out
# each is there, and is not less
sort out | awk 'NR == FNR { want[$1] = $2; next }
	$1 in want { if ($2 < want[$1]) print $1, $2, "is less than", want[$1]; delete want[$1] }
	END { for (name in want) print "no", name }' want -
grep ours out
$DTRACE -e -n mib:::rawipInDatagrams 2>&1 | grep -o "Linux has no event for it" # and says why
