# tools/writes.d: fifty writes of a thousand bytes.
$DTRACE -s "$SRC/tools/writes.d" \
	-c 'dd if=/dev/zero of=/dev/null bs=1000 count=50 status=none' >out 2>err
grep -q '^PROCESS  *CALLS  *AVERAGE  *TOTAL$' out
grep -q '^dd  *50  *1000  *50000$' out
grep -q '^  *512 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 50  *$' out
