# SPDX-License-Identifier: GPL-2.0-or-later
# -x cpu, with lists.
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
