# tools/tcplife.d: both ends of a connection, with the bytes that each has sent; from the client's
# end comes its end, too.
$DTRACE -s "$SRC/tools/tcplife.d" -c 'peers -n 7 -s 3000' >out 2>err
read -r client server <<P
$(grep '^[0-9]* [0-9]*$' out)
P
host='127\.0\.0\.1' n='[0-9][0-9]*'
grep -q "^$n *peers  *$host  *$server $host  *$client *10500 *21001 *$n\$" out
