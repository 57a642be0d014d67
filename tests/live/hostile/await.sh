# SPDX-License-Identifier: GPL-2.0-or-later
# -W: a process of that name which never gets to where its libraries are mapped. It is left as it
# is, and goes on when dtrace has begun.
# @@stderr: ^dtrace: waiting for a process called dt-waited-for$
# @@stderr: ^dtrace: description 'syscall::getppid:entry ' matched 2 probes$
# @@stderr: ^dtrace: warning: what process [0-9]* has not mapped yet is omitted: its start takes longer than foreigntime \(1000ms\); try -x foreigntime=10000ms$
# @@stderr: ^dtrace: pid [0-9]* has exited$
fail() { echo "$*"; cat err; exit 1; }
cp "$(command -v calls)" dt-waited-for
chmod 755 . dt-waited-for
mkfifo -m 666 library
$DTRACE -W dt-waited-for -n 'syscall::getppid:entry /pid == $target/ { @ = count(); }
	END { printa("%@d calls\n", @); }' >out 2>err &
dtrace=$!
until grep -q 'waiting for a process' err; do sleep 0.05; done
setpriv --reuid 65534 --clear-groups env LD_PRELOAD="$PWD/library" ./dt-waited-for -n 5 2>told &
until grep -q 'its start takes longer' err; do
	kill -0 $dtrace || fail "dtrace ended"
	sleep 0.05
done
sleep 0.2
: >library
wait $! || fail "the process: $?"
wait $dtrace || fail "dtrace: $?"
grep -q "5 calls$" out || fail "not all: $(cat out)"
