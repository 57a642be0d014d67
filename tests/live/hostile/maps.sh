# SPDX-License-Identifier: GPL-2.0-or-later
# What a user puts in the place of /tmp/perf-PID.map is not opened unless it is a regular file: a
# FIFO; a terminal that is mounted there in namespaces of the user's. A file system that never
# answers ends with foreigntime, which is reported once.
# @@stderr: dtrace: symbols of some files are omitted: .*
attack() {
	hostile "$1" >"$1.out" &
	pid=$!
	trap 'kill $pid 2>/dev/null || :; rm -f /tmp/perf-$pid.map' EXIT
	until grep -q . "$1.out"; do sleep 0.02; done
	if grep '^cannot' "$1.out"; then # the system forbids the attack
		wait $pid
		rm -f /tmp/perf-$pid.map
		return 0
	fi
	timeout "$LIMIT" $DTRACE -x foreigntime=300ms -qn 'pid$target:a.out:work:entry { usym(arg0);
		exit(0); }' -p $pid >"$1.got" 2>"$1.err" ||
		{ echo "$1: status $?"; cat "$1.err"; exit 1; }
	kill $pid
	wait $pid || :
	rm -f /tmp/perf-$pid.map
	grep -q 0x "$1.got" || { echo "$1: no address"; cat "$1.got"; exit 1; }
	grep -qx 'not opened' "$1.out" || { echo "$1 was opened"; exit 1; }
}
attack fifo
[ ! -s fifo.err ] || { cat fifo.err; exit 1; }
attack tty
attack fuse
grep -q '^cannot' fuse.out || [ "$(grep \
	-c 'takes longer than foreigntime (300ms); try -x foreigntime=3000ms' fuse.err)" = 1 ] ||
	{ cat fuse.err; exit 1; }

hostile none >none.out &
pid=$!
map=/tmp/perf-$pid.map
trap 'kill $pid 2>/dev/null || :; rm -f $map' EXIT
until grep -q ready none.out; do sleep 0.02; done
name() {
	timeout "$LIMIT" $DTRACE -qn 'pid$target:a.out:work:entry { usym(arg0); exit(0); }' -p $pid
}
setpriv --reuid=65534 --regid=65534 --clear-groups sh -c "echo 0 7fffffffffff others >$map"
! name | grep others || { echo "a map of another user's"; exit 1; }
chown 0 "$map"
name | grep -q others || { echo "no name of a map of root's"; exit 1; }
kill $pid
wait $pid || :
rm -f "$map"
