# SPDX-License-Identifier: GPL-2.0-or-later
# -W: the next process of that name is $target, from its first instruction on.
# @@status: 1
# @@stderr: ^dtrace: 
fail() { echo "$*"; cat out err; exit 1; }
# Starts dtrace with these arguments, and goes on when it waits.
waits() {
	: >err
	$DTRACE -W dt-waited-for "$@" >out 2>>err &
	dtrace=$!
	until grep -q 'waiting for a process' err; do sleep 0.1; done
}
cp "$(command -v calls)" dt-waited-for

# It has all the system calls that a command has, with those of its start; none of them is lost.
# (Its threads' futex are as it happens, and of -c the exec is seen.)
count='syscall:::entry /pid == $target && probefunc != "futex" && probefunc != "execve"/ {
	@ = count(); }'
$DTRACE -x evaltime=exec -qn "$count" -c './dt-waited-for 1 2 2' >want 2>err
waits -x evaltime=exec -n "$count"' END { printf("<%d>", $target); }'
cp dt-waited-for dt-waited-fo
./dt-waited-fo 1
./dt-waited-for 1 2 2 &
pid=$!
wait $pid || fail "the process: $?"
wait $dtrace || fail "dtrace: $?"
grep -qx "dtrace: pid $pid has exited" err && grep -q "<$pid>" out || fail "not $pid"
[ "$(tail -2 out | tr -d ' \n')" = "$(tr -d ' \n' <want)" ] || fail "not $(cat want)"

# Only the first; its libraries are there when its probes are looked for, as with -c.
waits -n 'pid$target:libc.so.6:syscall:entry { @ = count(); }'
./dt-waited-for 1 2 2 &
pid=$!
until grep -q 'matched' err; do sleep 0.1; done
./dt-waited-for 1
wait $pid && wait $dtrace || fail "dtrace: $?"
[ "$(tr -d ' \n' <out)" = 3 ] || fail "libc"

# What does not compile, or is interrupted, leaves no process stopped.
waits -n 'BEGIN { nonsense(); }'
./dt-waited-for 1 || fail "the process: $?"
! wait $dtrace || fail "compiled"
waits -n 'BEGIN { exit(3); }'
kill -TERM $dtrace
wait $dtrace || fail "interrupted: $?"
[ ! -s out ]
./dt-waited-for 1

for name in '' a/b sixteen-letters-; do
	$DTRACE -W "$name" -n BEGIN 2>err && fail "$name"
	cat err
done

# Without the privilege to resume any process, or in another PID namespace, dtrace stops none.
! setpriv --bounding-set=-kill --inh-caps=-kill $DTRACE -W dt-waited-for -n BEGIN 2>&1 ||
	fail "without CAP_KILL"
! unshare -pf --mount-proc $DTRACE -W dt-waited-for -n BEGIN 2>&1 || fail "in a namespace"
