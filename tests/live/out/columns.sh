# What fits the terminal: tables, bars and the lines of errors. Files and pipes have no columns.
# @@status: 0 1
# @@stderr: .
on() {
	width=$1
	shift
	onterm sh -c "stty cols $width && exec \"\$@\"" sh "$@" | tr -d '\r'
}
fits() {
	[ "$(wc -L <out)" -le "$1" ] || { echo "wider than $1:"; cat out; exit 1; }
}
cat >table.d <<'D'
BEGIN
{
	@["dtrace", "exit_group"] = count();
	@["dtrace", "a key of more than twenty characters"] = count();
	exit(0);
}
D
# The traditional columns, where they fit and where there is no terminal.
$DTRACE -qs table.d >file
[ "$(wc -L <file)" = 121 ] || { cat file; exit 1; }
on 130 $DTRACE -qs table.d >out
cmp -s out file || { cat out; exit 1; }
on 80 $DTRACE -qs table.d >out
fits 80
grep -qx '  dtrace  exit_group                                          1' out || {
	cat out
	exit 1
}
# Keys have columns of their own before bars and distributions.
on 72 $DTRACE -x agghist -qs table.d >out
fits 72
[ "$(sed -n 's/|.*//p' out | awk '{ print length }' | sort -u | wc -l)" = 1 ] || {
	cat out
	exit 1
}
on 60 $DTRACE -qn 'BEGIN { @ = quantize(1); exit(0); }' >out
fits 60
grep -q 'Distribution' out
on 80 $DTRACE -x aggpack -qn 'BEGIN { @["a key of more than twenty characters"] = quantize(1);
	@["b"] = quantize(1); exit(0); }' >out
[ "$(sed -n 's/ -*[0-9]* :.*//p' out | awk '{ print length }' | sort -u | wc -l)" = 1 ] || {
	cat out
	exit 1
}
# Of a long line the part around the mark, which is below its place.
program='BEGIN { trace("a string that makes this a long line\303\274"); trace(nosuch); '
program=$program'trace("and more of it"); }'
on 60 "$DTRACE_PROGRAM" -en "$(printf "$program")" >out
tail -2 out >mark
around='    1 | ...es this a long line\303\274"); trace(nosuch); trace("...'
[ "$(head -1 mark)" = "$(printf "$around")" ] || {
	cat out
	exit 1
}
[ "$(tail -1 mark)" = '      |                                  ^~~~~~' ] || { cat out; exit 1; }
head -1 out |
	grep -qx "dtrace: invalid probe specifier: in action list: failed to resolve nosuch: .*"
