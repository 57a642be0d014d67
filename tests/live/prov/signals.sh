# ^C and SIGTERM: END once, the aggregations, and status 0. timeout(1) sends each signal twice.
script='BEGIN { printf("begin\n"); @a["key"] = count(); } END { printf("end\n"); }'
for sig in INT TERM HUP; do
	# The signal goes to timeout, which hands it on. Its child does not ignore INT as a job in
	# the background does.
	: >out
	timeout "$LIMIT" $DTRACE -qn "$script" >out 2>err &
	until grep -q begin out; do sleep 0.05; done
	kill -$sig $!
	status=0
	wait $! || status=$?
	echo "$sig $status"
	cat out err
done
# With a command, ^C lets it go on or ends it with us: either way END fires once.
: >out
	timeout "$LIMIT" $DTRACE -qn "$script" -c 'calls -s 2' >out 2>err &
until grep -q begin out; do sleep 0.05; done
sleep 0.2
kill -INT $!
wait $!
echo "command"
cat out err
sleep 1 # the command may go on, or not
