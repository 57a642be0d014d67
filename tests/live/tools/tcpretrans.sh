# tools/tcpretrans.d: a SYN without an answer is sent again.
# @@needs: cmd:ip
. "$FIXTURE/netns"
$DTRACE -s "$SRC/tools/tcpretrans.d" -c "ip netns exec $a peers -a 10.9.8.9 -o 7" >out 2>err
from='10\.9\.8\.1  *[0-9]*' to='10\.9\.8\.9  *7'
grep -q "^[12][0-9]* .* $from -> $to state-syn-sent  *[0-9]*  *[1-9][0-9]*\$" out
