# Whatever is full is counted: printed + dropped = made, for records, variables, aggregations.
# @@stderr: ^dtrace: (hint: .*|pid [0-9]+ has exited)$
# @@drops: ^dtrace: [0-9]+ aggregation drops on CPU [0-9]+
# @@drops: ^dtrace: [0-9]+ drops on CPU [0-9]+
# @@drops: ^dtrace: [0-9]+ dynamic variable drops
# @@drops: ^dtrace: \[DTRACEDROP_AGGREGATION\] [0-9]+ aggregation drop on CPU
fail() { echo "$*"; exit 1; }
sum() { awk -v what="$1" 'index($0, what) { n += $2 } END { printf "%d\n", n }' err; }

# Records, in a buffer that is far too small; two CPUs.
$DTRACE -b 4k -qn 'syscall::getppid:entry /pid == $target/ { printf("record %d\n", n++); }' \
	-c 'calls -n 20000 -t 2 -o made' >out 2>err
printed=$(grep -c '^record' out) || true
dropped=$(sum ' on CPU ')
[ $((printed + dropped)) = "$(cat made)" ] ||
	fail "records: $printed printed, $dropped dropped, $(cat made) made"
[ "$dropped" -gt 0 ] && [ "$printed" -gt 0 ]
[ -z "$(grep -v '^dtrace: [0-9]* drops* on CPU [0-9]*$' err)" ] || fail "$(cat err)"

# Elements of an associative array. Each is asked for again, to see which are there.
values=$(seq -s ' ' 1 1000)
$DTRACE -x dynvarsize=4k -qn 'syscall::lseek:entry /pid == $target/ { a[arg1] = arg1; }
	syscall::lseek:entry /pid == $target/ { @[a[arg1] == arg1 ? "kept" : "lost"] = count(); }' \
	-c "calls -- $values" >out 2>err
kept=$(awk '$1 == "kept" { print $2 }' out) dropped=$(sum 'dynamic variable drop')
[ $((kept + dropped)) = 1000 ] && [ "$kept" -gt 0 ] && [ "$dropped" -gt 0 ] ||
	fail "variables: $kept kept, $dropped dropped"
[ -z "$(grep -v '^dtrace: [0-9]* dynamic variable drops*$' err)" ] || fail "$(cat err)"

# Freed elements are reused: none is lost, however many there are one after another.
$DTRACE -x dynvarsize=4k -qn 'syscall::lseek:entry /pid == $target/ { a[arg1] = n = arg1; }
	syscall::lseek:return /pid == $target/ { @[a[n] == n ? "kept" : "lost"] = count(); }
	syscall::lseek:return /pid == $target/ { a[n] = 0; }' -c "calls -- $values" >out 2>err
[ "$(tr -s ' \n' ' ' <out)$(cat err)" = " kept 1000 " ] || fail "freed: $(cat out err)"

# Keys of an aggregation.
$DTRACE -x aggsize=4k -x aggrate=1hour \
	-qn 'syscall::lseek:entry /pid == $target/ { @[arg1] = count(); }
	END { printa("key %d %@d\n", @); }' -c "calls -n 3 -- $values" >out 2>err
counted=$(awk '$1 == "key" { n += $3 } END { print n }' out) dropped=$(sum 'aggregation drop')
[ $((counted + dropped)) = 3000 ] && [ "$counted" -gt 0 ] && [ "$dropped" -gt 0 ] ||
	fail "keys: $counted, $dropped"
[ -z "$(grep -v '^dtrace: [0-9]* aggregation drops* on CPU [0-9]*$' err)" ] || fail "$(cat err)"

# With the rate that is usual nothing is lost: what is drained is removed from the map, and totals
# are in our memory.
$DTRACE -x aggsize=4k -x aggrate=1ms \
	-qn 'syscall::lseek:entry /pid == $target/ { @[arg1] = count(); }
	END { printa("key %d %@d\n", @); }' -c "calls -d 20000 -- $(seq -s ' ' 1 50)" >out 2>err
[ "$(grep -c '^key' out)$(cat err)" = 50 ] || fail "$(cat out err)"

# Tags; one is no plural.
$DTRACE -x droptags -x aggsize=1k -x aggrate=1hour \
	-qn 'syscall::lseek:entry /pid == $target/ { @[arg1] = count(); }' \
	-c "calls -- $(seq -s ' ' 1 65)" 2>&1 >out | sed 's/CPU [0-9]*/CPU n/'

# On a terminal the first report of a kind is followed by its remedy, once.
onterm $DTRACE -x aggsize=4k -x aggrate=1hour -x statusrate=100hz -q -n '
	syscall::lseek:entry /pid == $target/ { @[arg1] = count(); } END { trunc(@); }' \
	-c "calls -n 3 -- $values" >out 2>&1
[ "$(grep -c '^dtrace: hint: raise -x aggsize, or use fewer keys; see' out)" = 1 ] ||
	fail "$(cat out)"
grep -A1 -m1 '^dtrace: [0-9]* aggregation drops* on CPU' out | grep -q '^dtrace: hint: ' ||
	fail "$(cat out)"
