# SPDX-License-Identifier: GPL-2.0-or-later
# The maps of an aggregation: of each generation a first one with all of its memory, at most 4 MB or
# 64 elements, and a second one that takes memory as keys come (flag 1), unless a probe may fire
# while that is done.
# @@needs: func_memory
cat >maps <<'E'
cat /proc/$PPID/fdinfo/* | awk '/^map_type/ { type = $2 } /^key_size/ { key = $2 }
	/^value_size/ { value = $2 } /^max_entries/ { n = $2 } /^map_flags/ { flags = $2 }
	/^memlock/ && type == 1 && key >= 16 {
		print flags, flags == "0x1" || n == 64 || n * (key + value + 64) <= 4194304 }' |
	sort
E
while read -r script; do
	echo "$script"
	$DTRACE -qn "$script END { trunc(@); }" -c 'sh maps' | grep . || exit 1
done <<'D'
syscall::getppid:entry /pid == $target/ { @[pid] = count(); }
tick-1h { @[pid] = count(); } rawtp:sched::sched_switch /pid == $target/ { @[pid] = count(); }
syscall::getppid:entry /pid == $target/ { @[pid] = count(); } sdt:printk::console { exit(0); }
syscall::getppid:entry /pid == $target/ { @[pid] = quantize(arg1); }
syscall::getppid:entry /pid == $target/ { @[pid] = lquantize(arg1, 0, 10000, 1); }
D
