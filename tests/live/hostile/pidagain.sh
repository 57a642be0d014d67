# SPDX-License-Identifier: GPL-2.0-or-later
# A process writes a map that names all addresses, and ends. Another user's process that gets its
# number has no names of that map, whether its addresses are printed at once or when dtrace ends.
pid=$(($(cat /proc/sys/kernel/pid_max) - 7))
while [ -e /proc/$pid ]; do pid=$((pid - 1)); done
map=/tmp/perf-$pid.map
job='' tracer=''
end() {
	[ -z "$job" ] || kill $pid 2>/dev/null || :
	[ -z "$job" ] || wait "$job" || :
	job=
}
trap 'end; [ -z "$tracer" ] || kill "$tracer" 2>/dev/null || :; rm -f "$map"' EXIT
begin() { # UID
	hostile as $pid "$1" hostile none >"out$1" &
	job=$!
	until grep -q . "out$1"; do sleep 0.02; done
}
wait_for() {
	for i in $(seq 200); do
		! grep -q "$1" names || return 0
		sleep 0.05
	done
	echo "no $1"
	cat names
	exit 1
}
setpriv --reuid=65533 --regid=65533 --clear-groups \
	sh -c "echo 0 7fffffffffff forged >$map; chmod 644 $map"
timeout "$LIMIT" $DTRACE -qn 'BEGIN { printf("ready\n"); }
	syscall::getppid:entry /pid == $1/ { printf("%d ", uid); usym(arg0); printf("\n");
		@[uid, usym(arg0)] = count(); }
	syscall::getppid:entry /pid == $1 && uid == 65534 && ++n == 40/ { exit(0); }' \
	$pid >names &
tracer=$!
wait_for ready
begin 65533
if grep '^cannot' out65533; then exit 77; fi
wait_for '^65533 .*forged'
end
begin 65534
wait $tracer
tracer=
end
! grep '65534 .*forged' names || { echo "another user's names"; exit 1; }
[ "$(grep -c '^65534  *0x' names)" -ge 40 ] || { echo "no addresses"; cat names; exit 1; }
