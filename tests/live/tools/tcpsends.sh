# tools/tcpsends.d: which program sends what to where, with the ports that the program says.
# @@needs: kprobe
$DTRACE -s "$SRC/tools/tcpsends.d" -c 'tcp -n 3 -s 100' >out 2>err
read -r client server <<E
$(grep '^[0-9]* [0-9]*$' out)
E
[ "$(grep -c "^tcp  *[0-9][0-9]*  *127\.0\.0\.1:$client  *-> *127\.0\.0\.1:$server  *100\$" \
	out)" = 3 ]
