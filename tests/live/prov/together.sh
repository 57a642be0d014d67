# SPDX-License-Identifier: GPL-2.0-or-later
# All probes begin together, after BEGIN, and end together: what comes and what goes is in balance,
# but for a call under way.
dd if=/dev/zero of=/dev/null bs=1 count=1000000000 2>/dev/null &
trap 'kill $!' EXIT
until grep -q libc.so.6 /proc/$!/maps && [ "$(cat /proc/$!/comm)" = dd ]; do sleep 0.05; done
$DTRACE -p $! -qn 'BEGIN { begun = timestamp; }
	syscall::read:entry /pid == $target/ { came++; early += timestamp < begun; }
	pid$target:libc.so.6:str*:entry, sdt:sched::, sdt:signal:: /0/ {}
	syscall::read:return /pid == $target/ { went++; } tick-300ms { exit(0); }
	END { this->gap = came - went;
		printf("%d %d %d\n", came > 100, this->gap >= -1 && this->gap <= 1, early); }'
