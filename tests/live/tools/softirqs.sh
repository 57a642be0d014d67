# tools/softirqs.d: a connection over the loopback device arrives in soft interrupts.
$DTRACE -s "$SRC/tools/softirqs.d" -c 'peers -n 50' >out 2>err
awk '$1 == "net-rx" && $2 >= 50 && $3 >= $4 { found = 1 } END { exit !found }' out
