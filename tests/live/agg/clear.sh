# Aggregations are cleared and truncated while two CPUs count: all that is printed adds up to what
# was done.
cat >t.d <<'D'
#pragma D option quiet
#pragma D option aggrate=7ms
syscall::getppid:entry /pid == $target/ { @c = count(); @t[execname] = count();
	@s[execname] = sum(2); @q = quantize(1); }
tick-10ms { printa("c %@d\n", @c); clear(@c); printa("t %@d\n", @t); trunc(@t);
	printa("s %@d\n", @s); clear(@s); }
END { printa("c %@d\n", @c); printa("t %@d\n", @t); printa("s %@d\n", @s); printa("q %@d", @q); }
D
$DTRACE -s t.d -c 'calls -s 1 -t 2 -o made' >out 2>err
made=$(cat made)
sum() { awk -v k="$1" '$1 == k { n += $2 } END { printf "%d\n", n }' out; }
[ "$(sum c)" = "$made" ] && [ "$(sum t)" = "$made" ] && [ "$(sum s)" = $((made * 2)) ] || {
	echo "made $made, count $(sum c), trunc $(sum t), sum $(sum s)"
	cat err
	exit 1
}
# The one bucket of the distribution.
grep -q "^ *1 |@\{40\} $made *$" out || { tail -5 out; exit 1; }
# Between two numbers it was cleared; an emulated machine has no more of them.
[ "$(grep -c '^c [1-9]' out)" -gt 1 ] || { grep '^c ' out; exit 1; }
