# tools/exitsnoop.d: one that ends by itself, after at least 100 ms, and one that a signal ends.
cat >ends <<'S'
sleep 0.1
sh -c 'kill -9 $$'
exit 3
S
$DTRACE -s "$SRC/tools/exitsnoop.d" -c 'sh ends' >out 2>err
awk '$7 == "sleep" && $8 >= 100 && $8 < 5000 && $9 == 0 && $10 == 0 { a = 1 }
	$7 == "sh" && $9 == 0 && $10 == 9 { b = 1 }
	$7 == "sh" && $9 == 3 && $10 == 0 { c = 1 } END { exit !(a && b && c) }' out
