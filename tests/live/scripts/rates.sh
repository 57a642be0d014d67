# Every way in which scripts say how often.
for p in tick-1sec tick-1s tick-10ms tick-100msec tick-100hz tick-10 tick-1000000us \
	tick-1000000000ns tick-15m tick-1min tick-1hour tick-1d \
	profile-997hz profile-1001 profile-10ms profile:::tick-5sec profile:::profile-97; do
	$DTRACE -ln "$p" >/dev/null
done
for o in 10hz 10 5 2 4hz 1s 100ms 1sec; do
	$DTRACE -e -x "switchrate=$o" -n 'BEGIN { exit(0); }'
done
for o in 32k 32m 8m 4096; do
	$DTRACE -e -x "dynvarsize=$o" -x "bufsize=$o" -n 'BEGIN { exit(0); }'
done
$DTRACE -qn 'tick-20ms { n++; } profile:::tick-200msec { printf("%d\n", n > 1); exit(0); }'
