# exit() in a clause that then faults: its record is lost, and with it the status, but tracing
# ends, and END runs.
# @@status: 4
# @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+ 
for probe in BEGIN tick-10ms; do
	timeout "$LIMIT" $DTRACE -qn "$probe { exit(3); trace(*(int *)8); }
		END { printf(\"end\"); }" >out 2>err
	[ "$(cat out)" = end ]
	grep -q "invalid address (0x8)" err
done
timeout "$LIMIT" $DTRACE -qn 'BEGIN { exit(3); trace(*(int *)8); }
	ERROR { exit(4); }' 2>err && exit 1 || [ $? = 4 ]
