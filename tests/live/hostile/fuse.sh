# SPDX-License-Identifier: GPL-2.0-or-later
# A user's file system (FUSE) need not answer while a probe is put into a program on it, and no
# process of the machine can fork until then: such probes are refused, and others enabled. With
# -x fuse they are enabled where the file system answers.
# @@status: 0 1
# @@stderr: ^dtrace: failed to enable pid[0-9]+:prog:far:entry: .*FUSE
# @@stderr: ^dtrace: (waiting for|description|pid [0-9]+|warning: what process [0-9]+ has not)
# @@stderr: ^dtrace: warning: 1 of [0-9]+ functions cannot be traced, among them prog`far: .*FUSE
[ -e /dev/fuse ] || modprobe fuse || { echo 'needs file:/dev/fuse'; exit 77; }
mkdir mnt
pid=
begin() {
	rm -f program
	fuse mnt "$@" >program &
	until grep -q . program; do sleep 0.02; done
	if grep '^cannot' program; then
		cat program
		exit 77
	fi
	read -r pid <program
}
finish() {
	kill "$pid"
	wait || :
}
trap '[ -z "$pid" ] || kill $pid 2>/dev/null || :' EXIT

begin
$DTRACE -qn 'pid$target:prog:far:entry { }' -p "$pid" 2>err && exit 1
grep -qF 'it is on a FUSE file system' err || { cat err; exit 1; }
$DTRACE -qn 'pid$target::[fn]a*:entry { }
	tick-10ms { trace("on"); exit(0); }' -p "$pid" >out 2>err || { cat err; exit 1; }
[ "$(cat out)" = on ] || { cat out err; exit 1; }
finish

begin answers
$DTRACE -x fuse -qn 'pid$target:prog:far:entry { } tick-10ms { trace("on"); exit(0); }' -p "$pid" \
	>out 2>err || { cat err; exit 1; }
[ "$(cat out)" = on ] || { cat out err; exit 1; }
finish

# A process that is waited for is not followed to where its libraries are mapped, for ptrace would
# wait for such a program's pages.
$DTRACE -W prog -n 'BEGIN { exit(0); }' >out 2>err &
dtrace=$!
until grep -q 'waiting for a process' err; do sleep 0.1; done
begin
wait $dtrace || { cat err; exit 1; }
grep -q 'has not mapped yet is omitted: .*FUSE' err || { cat err; exit 1; }
finish
