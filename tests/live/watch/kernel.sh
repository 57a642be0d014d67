# SPDX-License-Identifier: GPL-2.0-or-later
# watch: the kernel's memory, by address: the name of a thread, which is copied byte by byte. An
# emulated CPU may leave the last ones out.
# @@needs: watchpoint
mkfifo gate
watched wait wait name <gate & p=$!
exec 3>gate
# waits SCRIPT: of the process, which waits and goes on when all probes are there.
waits() {
	until grep -q waiting /proc/$p/comm; do sleep 0.1; done
	$DTRACE -wqn "$1"' tick-100ms { if (!told++) system("printf x >gate"); }' -p $p
}
at=$(waits 'syscall::read:return /pid == $target/ {
	printf("0x%lx", (uint64_t)&curthread->comm[0]); exit(0); }')
waits "watch::$at:write-8 /pid == \$target/ { n++; last = arg1;
	code += arg0 == $at && arg2 != 0 && !arg3; calls += stackdepth > 2; }
	END { printf(\"%d %d %c\n\", n != 0, n == code && n == calls, (char)last); }" | grep .
wait $p
