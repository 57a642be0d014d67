# tools/offcputime.d: 20 naps of a millisecond each, at the place where threads nap.
$DTRACE -s "$SRC/tools/offcputime.d" -c 'doings sleeps' >out 2>err
grep -q '^  doings *$' out
awk '/^  [a-z]/ { naps = 0 } /nanosleep/ { naps = 1 }
	NF == 1 && $1 ~ /^[0-9]+$/ && naps { ns += $1 } END { exit !(ns >= 20000000) }' out
$DTRACE -x oformat=folded -s "$SRC/tools/offcputime.d" -c 'doings sleeps' >out 2>err
grep -q '^doings;.*nanosleep.* [0-9][0-9]*$' out
