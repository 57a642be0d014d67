# SPDX-License-Identifier: GPL-2.0-or-later
# Aggregations as tables; all else goes to standard error.
# @@stderr: ^          [0-9]+
# @@stderr: ^  [0-9]+      [0-9]+                           :BEGIN text
# @@stderr: ^CPU     ID                    FUNCTION:NAME
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
fail() { echo "$*"; cat out; exit 1; }
dates() {
	day='20[0-9][0-9]-[01][0-9]-[0-3][0-9]' time='[0-2][0-9]:[0-5][0-9]:[0-6][0-9]'
	sed "s/^$day $time\\.[0-9][0-9][0-9],/T,/" "$1"
}

# Keys by what the program calls them, quoted where they need it; the least value first.
$DTRACE -x oformat=csv -n 'BEGIN { s = "a,b"; @[s, 1] = sum(-3); @["say \"hi\"", 2] = sum(4);
	@["two\nlines", 3] = sum(5); @["", -1] = sum(6);
	@named[strjoin("x", s)] = avg(7); @none = max(8); @empty[pid] = count(); trunc(@empty);
	printf("text\n"); trace(1); exit(0); }' >out 2>err
dates out
grep -q 'text' err || fail "$(cat err)"

# Distributions: a line for each bucket from the first that has something to the last, with its
# ends.
echo "== distributions"
$DTRACE -x oformat=csv -qn 'BEGIN { @q["k"] = quantize(-5); @q["k"] = quantize(0);
	@q["k"] = quantize(3); normalize(@q, 1); @l = lquantize(-1, 0, 20, 10);
	@l = lquantize(25, 0, 20, 10); @l = lquantize(5, 0, 20, 10); @l = lquantize(6, 0, 20, 10);
	@m = llquantize(-150, 10, 1, 1, 10); @m = llquantize(3, 10, 1, 1, 10);
	@m = llquantize(25, 10, 1, 1, 10); @top = quantize(0x7fffffffffffffff);
	@low = quantize(-0x7fffffffffffffff); exit(0); }' >out 2>err
dates out

# Several in one table, joined by key; what is printed again goes on in the same one. A format has
# nothing to say.
echo "== joined"
$DTRACE -x oformat=csv -qn 'BEGIN { @a["x"] = count(); @b["x"] = sum(2); @b["y"] = sum(9);
	@q["x"] = quantize(1); i = 1; }
	tick-10ms /i++ <= 2/ { printa(@a, @b); }
	tick-10ms /i == 4/ { printa("%s is %@d\n", @a); printa(@a, @q); exit(0); }' >out 2>err
dates out
[ ! -s err ] || ! grep -q 'is 1' err || fail "$(cat err)"

# By CPU: all together, then each.
echo "== CPUs"
$DTRACE -x oformat=csv -x aggpercpu \
	-qn 'BEGIN { @a["x"] = count(); @q = quantize(1); exit(0); }' >out 2>err
dates out | sed 's/,x,[0-9][0-9]*,/,x,N,/; s/^T,[0-9][0-9]*,1,/T,N,1,/'

# Stacks are one cell, and files have heads of their own, each one.
echo "== stacks, files"
$DTRACE -x oformat=csv -qn 'syscall::lseek:entry /pid == $target/ { @[stack()] = count(); }' \
	-c 'calls 1' >out 2>err
grep -q '^20[^,]*Z*,[^,"]*;[^,"]*+0x[^,"]*,1$' out && [ "$(wc -l <out)" = 2 ] || fail "stack"
$DTRACE -wx oformat=csv -qn 'BEGIN { @["a"] = count(); printa(@); freopen("there"); printa(@);
	freopen(""); printa(@); freopen("there"); printa(@); exit(0); }' >out 2>err
dates there
dates out
