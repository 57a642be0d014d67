# Without -w there are no destructive actions, by any way to say so with it; -e looks at the
# program only.
# @@status: 1
for call in 'system("true")' 'freopen("x")' 'raise(1)' 'stop()' 'chill(1)' \
	'copyout(alloca(1), 1, 1)' \
	'copyoutstr("x", 1, 1)'; do
	want='dtrace: could not enable tracing: Destructive actions not allowed:'
	want="$want ${call%%(*}( ) needs -w"
	got=$($DTRACE -q -n "BEGIN { $call; exit(0); }" 2>&1) && rc=0 || rc=$?
	[ $rc = 1 ] && [ "$got" = "$want" ] || { echo "$call: $rc $got"; exit 1; }
	$DTRACE -e -n "BEGIN { $call; exit(0); }"
done
echo 'BEGIN { system("echo ran"); exit(0); }' >x.d
for opt in '-w' '-x destructive'; do
	[ "$($DTRACE -q $opt -s x.d)" = ran ]
done
sed -i '1i #pragma D option destructive' x.d
[ "$($DTRACE -q -s x.d)" = ran ]
