# SPDX-License-Identifier: GPL-2.0-or-later
# watch: the kernel's memory, by address: the name of a thread, which is copied byte by byte. An
# emulated CPU may leave the last ones out. aarch64 has values of before the access: there the first
# one is printed.
# @@needs: watchpoint
which=last
[ "$(uname -m)" != aarch64 ] || which=first
[ $which = last ] || grep -q '^Features.* atomics' /proc/cpuinfo || {
	echo "kernel memory can be watched only on CPUs with LSE"
	exit 77
}
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
waits "uint64_t first; watch::$at:write-8 /pid == \$target/ {
	first = n++ ? first : arg1; last = arg1;
	code += arg0 == $at && arg2 != 0 && !arg3; calls += stackdepth > 2; }
	END { printf(\"%d %d %c\n\", n != 0, n == code && n == calls, (char)$which); }" | grep .
wait $p
