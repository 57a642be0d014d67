# @@needs: cmd:taskset
# tools/runqlen.d: of three that want one CPU two wait, most of the time.
taskset -c 0 doings spins & a=$!
taskset -c 0 doings spins & b=$!
taskset -c 0 doings spins & c=$!
$DTRACE -s "$SRC/tools/runqlen.d" 1 >out 2>err
wait $a $b $c
grep -q '^  cpu  *0 *$' out
awk '/^  cpu/ { cpu = $2 } /\|/ && cpu == 0 { if ($1 >= 2) n += $NF } END { exit !(n > 0) }' out
