# tools/hardirqs.d: interrupts of devices while a second passes; a machine may have none. Where raw
# tracepoints can be preempted, those that come while dtrace reads a table are lost, as
# limitations.md says.
# @@drops: ^dtrace: [0-9]+ drops? of (a firing|firings) that came while
$DTRACE -s "$SRC/tools/hardirqs.d" -c \
	"sh -c 'dd if=/dev/zero of=made bs=64k count=32 conv=fsync status=none; sleep 1'" >out 2>err
grep -qE '^DEVICE +IRQ +COUNT +TIME\(us\) +MAX\(us\)$' out
awk 'NF == 5 && $1 != "DEVICE" && !($3 >= 1 && $4 >= $5) { bad = 1 } END { exit bad }' out
