# tools/tcpdrop.d: a SYN to a closed port is dropped by tcp_v4_rcv().
$DTRACE -s "$SRC/tools/tcpdrop.d" -c 'peers -r' >out 2>err
grep -A 8 ' drop-in: 127\.0\.0\.1:[0-9]* -> 127\.0\.0\.1:[0-9]*, flags 2, \(NO_SOCKET\)\{0,1\}$' \
	out >drop
grep -q '`tcp_v4_rcv+' drop
