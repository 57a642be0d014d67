# SPDX-License-Identifier: GPL-2.0-or-later
# @@drops: [0-9]+ aggregation drops
# What many clauses add to is added to by a function that the kernel verifies once. Each aggregating
# function counts the same there as in the clauses, with keys on the stack and in memory, and a key
# that the map cannot take is a drop.
clauses() {
	i=0
	while [ $i -lt 48 ]; do
		i=$((i + 1))
		echo "syscall::getppid:entry /pid == \$target/ {
			@count[execname, $i % 5] = count();
			@sum[$i % 5] = sum($i - 20);
			@min[\"a\", $i % 5] = min(30 - $i);
			@max[\"b\", $i % 5] = max($i * 3);
			@avg[$i % 3] = avg($i);
			@dev[$i % 3] = stddev($i * 100000);
			@pow[$i % 2] = quantize($i);
			@twice[$i % 2] = quantize($i, $i % 3 + 1);
			@lin[$i % 2] = lquantize($i, 0, 50, 10, $i);
			@log[$i % 2] = llquantize($i, 10, 0, 2, 10);
			@text[strjoin(\"key\", lltostr($i % 7))] = sum(arg6 * 0 + $i);
			@one = count();
		}"
	done
}
clauses >all.d
case $($DTRACE -Vv | grep '^func_memory ') in
*yes*) $DTRACE -S -e -s all.d 2>&1 | grep -c 'call dt_agg_' ;;
esac
$DTRACE -qs all.d -c 'calls -n 3' >out
$DTRACE -x nofeat=func_memory -qs all.d -c 'calls -n 3' >clauses
cmp out clauses
grep -E '^ *calls +3 +30$' out
grep -E '^ *key6 +567$' out

i=0
while [ $i -lt 200 ]; do
	i=$((i + 1))
	echo "BEGIN { @[$i, strjoin(\"a\", lltostr($i))] = count(); }"
done >full.d
echo 'BEGIN { exit(0); }' >>full.d
$DTRACE -x aggsize=1k -x aggrate=1hour -qs full.d >out 2>err
drops=$(sed -n 's/.*: \([0-9]*\) aggregation drops.*/\1/p' err)
[ "$(grep -c 'a[0-9]' out)" = $((200 - drops)) ]
[ "$drops" -gt 0 ]
