# tools/tcpaccept.d: a connection that is accepted, from and at the ports that the program says.
$DTRACE -s "$SRC/tools/tcpaccept.d" -c peers >out 2>err
read -r client server <<P
$(grep '^[0-9]* [0-9]*$' out)
P
grep -q "^[0-9][0-9]* *peers  *127\.0\.0\.1  *$client 127\.0\.0\.1  *$server\$" out
