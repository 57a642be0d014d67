# Exit status, signals, and what reads our output going away.
# @@status: 3 7
# @@stderr: ^dtrace: warning: this kernel does not let its functions be traced:
$DTRACE -qn 'BEGIN { exit(0); }'
$DTRACE -qn 'BEGIN { exit(7); }' && exit 1 || [ $? = 7 ]
$DTRACE -qn 'BEGIN { exit(0); } END { exit(3); }' && exit 1 || [ $? = 3 ]
for sig in INT TERM HUP; do
	: >out # not what the last one printed
	# Long rates must not make it wait.
	$DTRACE -x switchrate=60s -x statusrate=60s -x aggrate=60s \
		-qn 'BEGIN { @ = count(); printf("begun\n"); }
		END { printf("end"); }' >out &
	pid=$!
	until grep -q begun out; do sleep 0.1; done
	start=$(date +%s%N)
	# The shell starts jobs in the background with SIGINT ignored.
	[ $sig = INT ] && kill -TERM $pid || kill -$sig $pid
	wait $pid
	[ $((($(date +%s%N) - start) / 1000000)) -lt 15000 ]
	# Without the empty line that follows a terminal's ^C.
	printf 'begun\nend\n                1\n' | cmp - out
done
# A broken pipe ends it quietly, and END still runs.
($DTRACE -qn 'tick-10ms { printf("x\n"); }' 2>err; echo $? >rc) | head -n 2 >out
[ "$(cat rc)" = 0 ]
[ ! -s err ]
[ "$(cat out)" = "x
x" ]
($DTRACE -l 2>err; echo $? >rc) | head -n 1 >out
[ "$(cat rc)" = 0 ]
! grep -v "this kernel does not let its functions be traced" err || exit 1
