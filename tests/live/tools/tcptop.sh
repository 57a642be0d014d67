# tools/tcptop.d: the bytes of both directions, at both ends, and whose they are.
$DTRACE -s "$SRC/tools/tcptop.d" -c 'peers -n 10' >out 2>err
read -r client server <<P
$(grep '^[0-9]* [0-9]*$' out)
P
awk -v c="$client" -v s="$server" '$4 == c && $6 == s { sent += $7; got += $8; n += $2 == "peers" }
	$4 == s && $6 == c { back += $7; had += $8 }
	END { exit !(n && sent == 10000 && got == 5000 && back == 5000 && had == 10000) }' out
[ ! -s err ]
