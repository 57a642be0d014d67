# tools/tcpsynbl.d: five connections to a queue of seven places that is empty each time.
$DTRACE -s "$SRC/tools/tcpsynbl.d" -c 'tcp -b 7 -c 5' >out 2>err
[ "$(awk '/^of at most/ { limit = $4 } limit == "7:" && /\|/ && $1 == 0 { print $NF }' out)" = 5 ]
