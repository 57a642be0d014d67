# SPDX-License-Identifier: GPL-2.0-or-later
# -x cpu with lists, amin, version, disasm, strict.
# @@status: 1 2
# @@stderr: ^dtrace: [0-9]+ failed speculation \(no speculative buffer
fail() { echo "$*" >&2; exit 1; }
# An idle CPU's clock may not tick. Each has something to do for as long as this runs.
trap 'kill $busy; wait' EXIT
busy=
for cpu in $(seq 0 $(($(nproc) - 1)) | head -2); do
	taskset -c "$cpu" sh -c 'while :; do :; done' &
	busy="$busy $!"
done
for list in 0 0-0 0,0; do
	$DTRACE -x cpu=$list -qn 'profile-97 { @[cpu] = count(); }
		tick-97 /n++ == 5/ { exit(0); }' >out
	[ "$(awk 'NF { print $1 }' out | sort -u)" = 0 ] || fail "$list: $(cat out)"
done
if [ "$(nproc)" -ge 2 ] && [ -d /sys/devices/system/cpu/cpu1 ]; then
	for list in 0-1 0,1 1,0; do
		$DTRACE -x cpu=$list -qn 'profile-97 { @[cpu] = count(); }
			tick-97 /n++ == 20/ { exit(0); }' >out
		[ "$(awk 'NF { print $1 }' out | sort -u | tr -d '\n')" = 01 ] ||
			fail "$list: $(cat out)"
	done
	for cpu in 0 1 0 1; do
		[ "$($DTRACE -x cpu=$cpu -qn 'BEGIN { trace(cpu); exit(0); }
			END { trace(cpu); }')" = $cpu$cpu ] || fail "BEGIN is not on CPU $cpu"
	done
	$DTRACE -x cpu=1 -qn 'profile-97 { @[cpu] = count(); } tick-97 /n++ == 5/ { exit(0); }' >out
	[ "$(awk 'NF { print $1 }' out | sort -u)" = 1 ] || fail "1: $(cat out)"
fi
for opt in cpu=99999 cpu=0-99999 cpu=1-0 cpu=a version=2.1 version=1.14 version=x \
	amin=Evil knodefs unodefs ctfpath=x \
	dofstashpath=/x modpath=/x procfspath=/proc sysslice=x useruid=5; do
	$DTRACE -x $opt -e -n BEGIN 2>&1 && fail "$opt: accepted" || echo "status $?"
done
for opt in version=1.0 version=1.13.1 version=2.0 amin=Stable/Stable/Common kdefs \
	udefs iregs=4 tregs=4 nusdtprobes=9; do
	$DTRACE -x $opt -e -n BEGIN 2>&1 || fail "$opt: status $?"
done
$DTRACE -e -S -x disasm=0 -n 'BEGIN { trace(1); }' 2>&1
[ "$($DTRACE -e -S -x disasm=15 -n 'BEGIN { trace(1); }' 2>&1 | wc -l)" -gt 10 ]
# One drop, which the exit status reports if an option asks for that.
cat >drop.d <<'E'
BEGIN { this->a = speculation(); this->b = speculation(); exit(0); }
E
$DTRACE -qs drop.d 2>/dev/null
$DTRACE -x strict -qs drop.d 2>/dev/null && fail "strict: status 0" || [ $? = 1 ]
$DTRACE -x strict -x nspec=2 -qs drop.d
# With the tag.
$DTRACE -x droptags -qs drop.d 2>&1
