# SPDX-License-Identifier: GPL-2.0-or-later
# -x rotatesize and rotatetime rename the file of -o and continue in a new one of the same mode: no
# record is lost, and none is in two files. Files beyond rotatekeep go.
# @@status: 1 2
# @@stderr: ^dtrace: failed to (set -x rotate|rename )
fail() { echo "$*: $(head -5 err)" >&2; exit 1; }
umask 027
count='tick-5ms { printf("%d\n", n++); } tick-2s { exit(0); }'
$DTRACE -x rotatesize=256 -x rotatekeep=1000 -qo out -n "$count" 2>err || fail "status"
files=$(find . -name 'out.*' | wc -l)
[ "$files" -ge 4 ] || fail "$files files"
for i in $(seq "$files" -1 1); do cat out."$i"; done | cat - out | sed '/^$/d' |
	awk '$1 != n { print "at", n, $1 } { n = $1 + 1 } END { exit n < 100 }' >gaps ||
	fail "few records"
[ ! -s gaps ] || fail "$(head -3 gaps)"
for i in $(seq "$files"); do
	[ "$(wc -c <out."$i")" -ge 256 ] || fail "out.$i is small"
	[ "$(stat -c %a out."$i")" = 640 ] || fail "mode of out.$i"
done
# By time, with two older files; each begins with the head of the table.
$DTRACE -x rotatetime=300ms -x rotatekeep=2 -x oformat=csv -qo table -n '
	tick-100ms { @n = count(); printa(@n); } tick-2s { exit(0); }' >said 2>err || fail "status"
[ "$(echo table*)" = 'table table.1 table.2' ] || fail "$(echo table*)"
for file in table.1 table.2; do
	[ "$(head -1 $file)" = time,n ] && [ "$(grep -c : $file)" -le 5 ] || fail "$(cat $file)"
done
# A file that cannot be renamed is continued.
mkdir -p kept.1/dir
$DTRACE -x rotatesize=64 -x rotatekeep=1 -qo kept -n "$count" 2>err || fail "status"
grep -qx "dtrace: failed to rename 'kept' to 'kept.1': Is a directory; output files are not \
rotated any more" err || fail "no message"
[ "$(wc -l <err)" = 1 ] || fail "more than one message"
[ "$(wc -l <kept)" -ge 100 ] || fail "records are lost"
refused() { # MESSAGE OPTION...
	message=$1
	shift
	! $DTRACE "$@" -qn BEGIN >said 2>err || fail "$* is accepted"
	[ "$(cat err)" = "dtrace: failed to set -x $message" ] || fail "$*"
}
refused 'rotatesize: it requires an output file (-o)' -x rotatesize=4k
refused 'rotatetime: -x oformat=svg writes its picture when tracing ends' -x rotatetime=1h \
	-x oformat=svg -o p
refused 'rotatesize: -x oformat=prometheus replaces its file at each aggrate' -x rotatesize=1m \
	-x oformat=prometheus -o p
refused "rotatetime: output file '/dev/null' is not a regular file" -x rotatetime=1h -o /dev/null
refused 'rotate: Invalid option name; did you mean rotatekeep, rotatesize, rotatetime?' -x rotate=1h
