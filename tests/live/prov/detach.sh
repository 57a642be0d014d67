# SPDX-License-Identifier: GPL-2.0-or-later
# Detached probes of each kind that this kernel has: their counts are exact, and all are gone after
# the stop. A kernel without links for perf events refuses what needs these.
# @@needs: cmd:unshare
# @@status: 1
# @@stderr: ^dtrace: failed to detach: .* this kernel keeps such a probe only while dtrace runs
. "$FIXTURE/ownmounts"
mount -t bpf none /sys/fs/bpf
fail() { echo "$*"; exit 1; }
cp "$(command -v calls)" ./dtdetach
$DTRACE -Vv >features
has() { grep -q "^$1 *yes" features; }

# detached FEATURES PROBE: begins; false: it is refused, as it should be where a perf event is all
# that there is.
detached() {
	$DTRACE -qA ${1:+-x nofeat=$1} -n "$2 { @ = count(); }" 2>err && return
	! has perf_cookie && grep -q 'this kernel keeps such a probe only while dtrace runs' err ||
		fail "$2: $(cat err)"
	return 1
}
# Two readers, the stop is the second one: 60 and 100 in all.
read_is() { [ "$("$@" | tr -d ' \n')" = "$want" ] || fail "$probe: not $want"; }
calls_of() {
	probe=$2
	detached "$1" "$2" || return 0
	./dtdetach -t 1 -i -n 60
	want=60 read_is $DTRACE -qa
	./dtdetach -t 1 -i -n 40
	want=100 read_is $DTRACE -q -x detach=stop
	./dtdetach -t 1 -i -n 40
}
mine='/execname == "dtdetach"/'
calls_of '' "syscall::lseek:entry $mine"
calls_of '' "syscall::lseek:return $mine"
lseek=62
[ "$(uname -m)" != x86_64 ] || lseek=8
calls_of '' "sdt:raw_syscalls::sys_enter /execname == \"dtdetach\" && args->id == $lseek/"
kernel='fbt::__*_sys_lseek'
if has kprobe; then
	calls_of fentry,kprobe_multi "$kernel:entry $mine"
	calls_of fentry,kprobe_multi "$kernel:return $mine"
	calls_of fentry "$kernel:entry $mine"
fi
if has fentry || has kprobe; then
	calls_of '' "$kernel:entry $mine"
	calls_of '' "$kernel:return $mine"
fi
# Code of a process, by its number, without -p: it waits for a line each.
mkfifo gate
perl -e '$| = 1; for my $n (60, 40) { <STDIN>; getppid() for 1 .. $n; print "done\n" } <STDIN>' \
	<gate >said & pid=$!
exec 3>gate
until grep -q 'libc[-.]' /proc/$pid/maps; do sleep 0.01; done
for nofeat in '' uprobe_multi; do
	# the second time it only waits
	probe="pid$pid:libc.so*:getppid:entry"
	detached "$nofeat" "$probe" || continue
	want=100
	if ! grep -q done said; then
		for n in 1 2; do
			echo >&3
			until [ "$(grep -c done said)" = $n ]; do sleep 0.01; done
			[ $n = 2 ] || want=60 read_is $DTRACE -qa
		done
		want=100 read_is $DTRACE -q -x detach=stop
	else
		[ -z "$($DTRACE -q -x detach=stop | tr -d ' \n0')" ] ||
			fail "$probe: calls of a process that waits"
	fi
done
exec 3>&-
wait $pid
# Events of the clock, on all CPUs.
if detached '' 'profile-499'; then
	timeout 1 sh -c 'while :; do :; done' || :
	[ "$($DTRACE -q -x detach=stop | tr -d ' \n')" -gt 20 ] || fail 'profile'
fi
[ -z "$(ls -A /run/dtrace)$(ls -A /sys/fs/bpf/dtrace)" ] || fail 'something is left'
