# A signal while dtrace waits for the reader of its output: all output arrives, that of END and
# aggregations too.
mkfifo pipe
{
	until [ -e signalled ]; do sleep 0.1; done
	sleep 0.3
	tail -n 3
} <pipe >out &
reader=$!
$DTRACE -qn 'tick-2ms { @ = count(); printf("%04000d\n%04000d\n", 1, 2); }
	END { printf("end\n"); printa("%@d", @); }' 2>err >pipe &
pid=$!
sleep 2 # the pipe is full
kill -TERM $pid
: >signalled
wait $pid && echo "status 0" || echo "status $?"
wait $reader
cat err
sed 's/^0*2$/2/; s/^[1-9][0-9]*[0-9]$/count/' out
