# SPDX-License-Identifier: GPL-2.0-or-later
# watch: variables of the kernel's by name; it says where they are only when it was built with
# CONFIG_KALLSYMS_ALL.
# @@needs: watchpoint
# @@status: 1
grep -q ' [BbDd] total_forks$' /proc/kallsyms || {
	echo "the kernel does not tell where its variables are"
	exit 77
}
[ "$(uname -m)" != aarch64 ] || grep -q '^Features.* atomics' /proc/cpuinfo || {
	echo "kernel memory can be watched only on CPUs with LSE"
	exit 77
}
forks='sh -c "(:); (:); (:)"'
$DTRACE -qn 'int64_t last; watch:vmlinux:total_forks:write /pid == $target/ { n++;
	same += arg1 == `total_forks; grown += last < arg1; last = arg1; }
	END { printf("%d %d %d\n", n, same, grown); }' -c "$forks" | grep .
$DTRACE -qn 'watch::total_forks:write /pid == $target/ {
	@[probemod, execname, stackdepth > 3] = count(); }' -c "$forks" |
	awk 'NF { print $1, $2, $3, $4 }'
# An int; what follows it is not looked at.
$DTRACE -qn 'watch::nr_threads:write /pid == $target/ { n++; sane += arg1 > 0 && arg1 < 4194304; }
	END { printf("%d %d\n", n, n == sane); }' -c "$forks" | grep .
says() {
	$DTRACE -qn "$1 {}" -c true 2>&1 | sed 's/.*any probes: //'
}
says 'watch:vmlinux:total_frks:write'
says 'watch:vmlinux:runqueues:write'
says 'watch:vmlinux:total_forks+0x10000000:write' | sed 's/ 0x.*//'
