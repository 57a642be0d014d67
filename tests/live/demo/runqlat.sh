# demo/runqlat.d: who naps 20 times waits for a CPU at least as often.
$DTRACE -s "$SRC/demo/runqlat.d" -c 'doings sleeps' >out 2>err
[ "$(awk '/\|/ { n += $NF } END { print n }' out)" -ge 20 ]
