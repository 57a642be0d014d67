# @@stderr: error in clause 6 .*divide-by-zero
# Records of several CPUs come in the order of time: with clocks that are read before and after
# they are reserved, and as JSON.
cat >count.awk <<'E'
$1 + 0 < last { back++ }
{ last = $1 + 0; n++ }
END { print (n >= 20000 ? "many" : n), back + 0, "back" }
E
busy='syscall:::entry /progenyof($target)/ { printf("%d\n", timestamp); }
	syscall:::entry /progenyof($target)/ { printf("%d\n", timestamp); }'
for i in 1 2; do echo 'dd if=/dev/zero of=/dev/null bs=1 count=3000 2>/dev/null &'; done >two
echo wait >>two
$DTRACE -qn "$busy" -b 16m -c 'sh two' | sed '/^$/d' >text
awk -f count.awk text
$DTRACE -qn 'syscall:::entry /progenyof($target)/ { @[cpu] = count(); }
	syscall:::entry /progenyof($target)/ { trace(1); }' \
	-x oformat=json -b 32m -c 'sh two' |
	sed -n 's/.*"type":"[^"]*","timestamp":\([0-9]*\),.*/\1/p' >json
awk '$1 + 0 < last { back++ } { last = $1 + 0; n++ }
	END { print (n >= 10000 ? "many" : n), back + 0, "back" }' json

# One firing: what it records comes in the order of its clauses, with what its speculations held
# and its faults where they belong.
$DTRACE -qn 'BEGIN { self->s = speculation(); printf("%d ", timestamp > 0); }
BEGIN { speculate(self->s); printf("held "); }
BEGIN { printf("before "); }
BEGIN { commit(self->s); }
BEGIN { printf("behind "); }
BEGIN { trace(1 / (pid - pid)); }
BEGIN { printf("last "); }
ERROR { printf("fault\n"); }
BEGIN { exit(0); }' 2>/dev/null

# The policies of buffers keep what they keep by the same order; the newest is the last.
$DTRACE -qn 'tick-1ms { printf("%d\n", timestamp); n++; }
	tick-1ms /n == 50/ { exit(0); }' -x bufpolicy=ring -b 1k |
	sed '/^$/d' | awk '{ if ($1 < last) print "back"; last = $1; n++ }
		END { print (n > 2 && n < 50) }'
