# The reader closed the pipe: dtrace ends quietly, END fires once, and a command that is to be kept
# goes on.
# @@status: 1
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+ 
# @@stderr: ^dtrace: failed to print: No space left on device
# @@stderr: ^dtrace: failed to write output: No space left on device
{
	timeout "$LIMIT" $DTRACE -qn 'BEGIN { printf("a\n"); } tick-10ms { printf("b\n"); }
		END { printf("end\n"); trace(*(int *)0x77); }' 2>err
	echo "status $?" >&2
} 2>status | head -1
cat status
# END fired, once: its fault is reported.
cat err
{
	timeout "$LIMIT" $DTRACE -n 'tick-10ms { @[1] = count(); printa(@); }' -x keepcmd \
		-c 'calls -o made -s 1' 2>err
	echo "status $?" >&2
} 2>status | head -1
cat status
grep -v matched err || true
until [ -e made ]; do sleep 0.1; done
# A full disk is no closed pipe: that is reported.
if [ -w /dev/full ]; then
	timeout "$LIMIT" $DTRACE -qn 'BEGIN { printf("a\n"); exit(0); }' 2>&1 >/dev/full ||
		echo "status $?"
fi
# What is printed at the end has the same reasons: aggregations into a closed pipe, whichever write
# fails first, and a full disk.
{
	timeout "$LIMIT" $DTRACE -qn 'BEGIN { printf("a\n"); }
		tick-10ms { @[1] = count(); printf("b\n"); }' 2>err
	echo "status $?" >&2
} 2>status | head -1
cat status err
{
	timeout "$LIMIT" $DTRACE -qn 'int n; syscall::getppid:entry /pid == $target/ {
		@[n++] = count(); }' -c 'calls -n 3000' 2>err
	echo "status $?" >&2
} 2>status | head -1
cat status err
if [ -w /dev/full ]; then
	timeout "$LIMIT" $DTRACE -qn 'int n;
		syscall::getppid:entry /pid == $target/ { @[n++] = count(); }' -c 'calls -n 3000' \
		2>&1 >/dev/full || echo "status $?"
fi
