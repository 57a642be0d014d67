# tools/tcpconnect.d: a connection that is asked for, to the port that the program says.
$DTRACE -s "$SRC/tools/tcpconnect.d" -c peers >out 2>err
read -r client server <<P
$(grep '^[0-9]* [0-9]*$' out)
P
grep -q "^[0-9][0-9]* *peers  *4 127\.0\.0\.1  *127\.0\.0\.1  *$server\$" out
