# tools/runqlat.d: a thread that sleeps 20 times waits for a CPU at least as often; when the CPU is
# busy and the thread of the lowest class, for the length of a slice each time.
$DTRACE -s "$SRC/tools/runqlat.d" -c 'doings sleeps' >out 2>err
[ "$(awk '/\|/ { n += $NF } END { print n }' out)" -ge 20 ]
$DTRACE -s "$SRC/tools/runqlat.d" -c \
	"taskset -c 0 sh -c 'calls -s 2 & echo \$! >busy; exec chrt -i 0 doings sleeps'" >out 2>err
kill "$(cat busy)" || :
while kill -0 "$(cat busy)" 2>/dev/null; do sleep 0.01; done
[ "$(awk '/\|/ && $1 >= 256 { n += $NF } END { print n }' out)" -ge 10 ]
