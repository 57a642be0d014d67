# tools/oomkill.d: a group that may have 16 MB of memory, and a program in it that wants 400.
for root in /sys/fs/cgroup /sys/fs/cgroup/unified cg; do
	[ $root != cg ] || { mkdir -p cg && mount -t cgroup2 none cg 2>/dev/null; } || :
	grep -qw memory $root/cgroup.controllers 2>/dev/null && break
done
group=$root/dt-oomkill-$$
if ! { mkdir "$group" && echo +memory >$root/cgroup.subtree_control &&
	echo 16M >"$group/memory.max"; } 2>/dev/null; then
	rmdir "$group" 2>/dev/null || :
	[ $root != cg ] || umount cg 2>/dev/null || :
	echo "no group's memory can be limited here"
	exit 77
fi
trap 'rmdir "$group"; [ $root != cg ] || umount cg' EXIT
[ ! -e "$group/memory.swap.max" ] || echo 0 >"$group/memory.swap.max"
cat >greedy <<G
echo \$\$ >$group/cgroup.procs
exec dd if=/dev/zero of=/dev/null bs=400M count=1 status=none
G
$DTRACE -s "$SRC/tools/oomkill.d" -c 'sh greedy' >out 2>err || :
date='[12][0-9][0-9][0-9] .*' load='[0-9]*\.[0-9][0-9]'
grep -q "^$date  [a-z].* ([0-9]*) wanted memory: killed [0-9]*, load $load\$" out
