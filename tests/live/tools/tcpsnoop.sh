# tools/tcpsnoop.d: a connection from its first segment to its last; and only one port.
$DTRACE -s "$SRC/tools/tcpsnoop.d" -c 'peers -n 3' >out 2>err
read -r client server <<P
$(grep '^[0-9]* [0-9]*$' out)
P
l='127\.0\.0\.1'
grep -qE "^$l +$client -> $l +$server +0 S\.\.\.\.\$" out
grep -qE "^$l +$server <- $l +$client +0 S\.\.\.\.\$" out
grep -qE "^$l +$server -> $l +$client +0 SA\.\.\.\$" out
[ "$(grep -cE "^$l +$client -> $l +$server +1000 \.A\.\.P\$" out)" = 3 ]
[ "$(grep -cE "^$l +$client <- $l +$server +500 \.A\.\.P\$" out)" = 3 ]
grep -qE "^$l +$client -> $l +$server +0 \.AF\.\.\$" out
$DTRACE -s "$SRC/tools/tcpsnoop.d" -c 'peers -n 3' 1 >out 2>err
! grep -qE ' (->|<-) ' out || exit 1
