# pcap(): packets of tests/fixture/packets on the loopback of a network namespace, in capture
# files, which that program also reads; and where there is no file in lines of tshark, which it
# plays, or bytes.
# @@needs: cmd:ip
# @@status: 1
# @@stderr: ^dtrace: pcap\( \): tshark is not installed: packets are shown as bytes$
# @@stderr: ^dtrace: failed to match fbt::ip_rcv:entry: No probe matches
# @@stderr: ^dtrace: pcap\( \): a file of freopen\( \) is not overwritten: it contains
# @@stderr: ^dtrace: warning: fbt::ip_rcv:entry: this kernel does not let its
ns=dt$$
trap 'ip netns del $ns' EXIT
ip netns add $ns && ip -n $ns link set lo up || { echo "no network namespaces"; exit 77; }
inum=$(stat -L -c %i /run/netns/$ns)
unset SUDO_UID # tshark is found by PATH
mkdir bin none
ln -s "$(command -v packets)" bin/tshark
run="$(command -v ip) netns exec $ns $(command -v packets)" path=$PATH

# trace OPTIONS PACKETS: what those send, by the script on standard input.
trace() {
	{ echo "inline int mine = args[0]->dev->nd_net.net->ns.inum == $inum;"; cat; } >pcap.d
	PATH=$path $DTRACE $1 -s pcap.d -c "$run $2"
}

echo "files, twice, as packets go and as they come; the second time whole"
for size in 2k 65536; do
	trace "-qw -x pcapsize=$size" "-u 100 -u 5000 -t 100000" <<'D'
	rawtp:net::net_dev_queue
	/mine/
	{
		freopen("%s", "ether");
		pcap(args[0], PCAP_ETHER);
		freopen("");
		paged |= ((struct skb_shared_info *)(args[0]->head + args[0]->end))->nr_frags > 0;
	}
	rawtp:net::netif_receive_skb
	/mine/
	{
		freopen("ip");
		pcap((uintptr_t)args[0], PCAP_IP);
		freopen("");
	}
	END { printf("data in pages: %d\n", paged); }
D
	for f in ether ip; do
		echo $f
		packets -r <$f | sed 's/^tcp: [0-9]*[0-9]\{4\} /tcp: many /'
		[ $size = 2k ] || packets -r <$f | grep tcp
	done
	rm ether
done

echo "put together of fragments"
ip -n $ns link set lo mtu 1500
trace "-qw -x pcapsize=5020" "-n 5000" <<'D'
	inline struct udphdr *udp = (struct udphdr *)(args[0]->head + args[0]->transport_header);
	rawtp:skb::kfree_skb
	/args[0]->len == 5008 && udp->source == htons(1001) && udp->dest == htons(1003)/
	{
		listed = ((struct skb_shared_info *)(args[0]->head + args[0]->end))->frag_list !=
		    NULL;
		freopen("whole");
		pcap(args[0], PCAP_IP);
		freopen("");
	}
	END { printf("in a list: %d\n", listed); }
D
packets -r <whole

# Where functions can be traced: at one, when the link's header has been removed already.
if $DTRACE -ln fbt::ip_rcv:entry >/dev/null 2>&1; then
	trace -qw "-u 300" <<'D' >function
	fbt::ip_rcv:entry
	/mine/
	{
		freopen("rcv");
		pcap(args[0], PCAP_ETHER);
		freopen("");
	}
D
	packets -r <rcv >>function
	grep -qx 'udp 1001 > 1002: 342 bytes, 342 captured, data right' function || cat function
fi

echo "to a pipe, from the beginning on"
mkfifo pipe
packets -r <pipe >piped &
trace "-qw" "-u 10 -u 20" <<'D'
	BEGIN { freopen("pipe"); }
	rawtp:net::net_dev_queue /mine/ { pcap(args[0], PCAP_ETHER); }
D
wait $!
cat piped

echo "what other text is in"
trace -qw "-u 10" 2>err <<'D'
	BEGIN { freopen("mixed"); printf("text\n"); }
	rawtp:net::net_dev_queue /mine/ { pcap(args[0], PCAP_ETHER);
		pcap(args[0], PCAP_ETHER); exit(0); }
D
cat err mixed

echo "lines of tshark, each at its place"
path=$PWD/bin
trace -q "-u 10 -u 20" <<'D'
	rawtp:net::net_dev_queue
	/mine/
	{
		printf("%d: ", ++n);
		pcap(args[0], PCAP_ETHER);
		pcap(args[0], n > 1 ? PCAP_IP : PCAP_ETHER);
		printf("that was it\n");
	}
D

echo "control characters of a packet's text"
trace -q "-u 33" <<'D'
	rawtp:net::net_dev_queue /mine/ { pcap(args[0], PCAP_ETHER); }
D

echo "bytes"
path=$PWD/none
trace "-q -x pcapsize=40" "-u 10 -u 20" 2>err <<'D'
	rawtp:net::net_dev_queue /mine/ { pcap(args[0], PCAP_IP); }
D
cat err

echo "objects"
trace "-q -x oformat=json -x pcapsize=30" "-u 10" <<'D' >json
	rawtp:net::net_dev_queue /mine/ { pcap(args[0], PCAP_ETHER); }
D
grep '"record".*pcap' json | sed 's/.*"output"://'

echo "faults"
$DTRACE -q -n 'BEGIN { pcap((void *)8, PCAP_IP); } BEGIN { pcap(NULL, pid | 1 << 20); }
	ERROR { printf("%d\n", arg4); } BEGIN { exit(0); }' 2>&1 |
	sed 's/(0x[0-9a-f]*)/(ADDR)/; s/([0-9]*)/(N)/'
