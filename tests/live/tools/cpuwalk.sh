# @@needs: cmd:taskset
# tools/cpuwalk.d: a thread that is bound to a CPU is seen there only.
$DTRACE -s "$SRC/tools/cpuwalk.d" -c 'taskset -c 0 doings spins' >out 2>err
awk '/\|/ { if ($1 == "0") here += $NF; else other += $NF }
	END { exit !(here > 5 && other <= 2) }' out
