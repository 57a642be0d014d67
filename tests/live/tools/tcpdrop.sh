# demo/tcpdrop.d: a SYN to where nobody listens is thrown away by tcp_v4_rcv().
$DTRACE -s "$SRC/demo/tcpdrop.d" -c 'peers -r' >out 2>err
grep -A 8 ' drop-in: 127\.0\.0\.1:[0-9]* -> 127\.0\.0\.1:[0-9]*, flags 2, \(NO_SOCKET\)\{0,1\}$' out >drop
grep -q '`tcp_v4_rcv+' drop
