# SPDX-License-Identifier: GPL-2.0-or-later
# -x maxcpu where it cannot be kept: clauses that are not sampled count exactly, and the message
# says why. And without a load, and in wrong forms.
# @@status: 1
# @@stderr: ^dtrace: (-x maxcpu=|failed to set -x maxcpu: |failed to detach: -x maxcpu: )
ms=3300
[ "$(uname -m)" = x86_64 ] || ms=10000 # only emulated
fail() { echo "$*: $(cat err out)" >&2; exit 1; }
over() {
	$DTRACE -q -x maxcpu=0.001% -n "$2" -c "callload $ms 0 calls" >out 2>err
	grep -Eq "^dtrace: -x maxcpu=0.001% is exceeded: tracing takes [0-9.]+% of CPU time, \
of which dtrace takes [0-9.]+%; a clause that costs much is not sampled, because it $1 at " err ||
		fail "no message that it $1"
	[ "$(awk 'NF { print $NF }' out)" = "$(cat calls)" ] || fail "not exact"
}
over 'assigns variables' \
	'syscall::getppid:entry /pid == $target/ { self->t = timestamp; @ = count(); }'
over 'has min\( \) or max\( \), which cannot be estimated' '
	syscall::getppid:entry /pid == $target/ { @[pid] = count(); @m = max(1); }
	END { trunc(@m); }'
# Nothing is sampled, or said, where the limit is far away.
[ -z "$($DTRACE -q -x maxcpu=90% -n 'tick-100ms { @ = count(); }
	tick-1500ms { trunc(@); exit(0); }' 2>&1)" ] || fail "a message"
# dtrace itself takes more than the limit allows.
$DTRACE -q -x maxcpu=0.001% -n 'syscall::getppid:entry /pid == $target/ { printf("%d\n", pid); }' \
	-c "callload $ms 0 calls" >out 2>err
grep -q '^dtrace: -x maxcpu=0.001% is exceeded: .*; print less, or less often' err ||
	fail "no hint"
# Metrics have the factor.
$DTRACE -q -x oformat=openmetrics -x maxcpu=100 -n 'BEGIN { @n = count(); exit(0); }' >out
grep -qx 'dt_sampling{aggregation="n"} 1' out || fail "no factor in metrics"
for value in 0 0.0001% 101% 100.001% -1 1.% x 1%%; do
	! $DTRACE -x maxcpu=$value -e -n BEGIN 2>err || fail "maxcpu=$value is accepted"
	grep -q "^dtrace: failed to set -x maxcpu: Invalid value for specified option: \
maxcpu is a percentage from 0.001% to 100%, for example 2%\$" err || fail "maxcpu=$value"
done
! $DTRACE -qA -x maxcpu=1% -n 'tick-1s { @ = count(); }' 2>err || fail "-A is accepted"
grep -q '^dtrace: failed to detach: -x maxcpu: no dtrace is running to measure the cost$' err ||
	fail "-A"
