# @@needs: cmd:losetup cmd:mkfs.ext4 file:/sys/module/9pnet_virtio/refcnt
# vminfo, in a guest only: pages of files that are given back, as many as the kernel counts, when a
# group has all it may have and when there seems to be no free memory, which wakes the page daemon.
grep -qw memory /sys/fs/cgroup/cgroup.controllers || {
	echo "no group's memory can be limited here"
	exit 77
}
. "$FIXTURE/filesystem"
mounted=$PWD/m group=/sys/fs/cgroup/reclaim.$$ least=$(cat /proc/sys/vm/min_free_kbytes)
trap 'cd /; echo $least >/proc/sys/vm/min_free_kbytes
	umount "$mounted"; losetup -d $loop; rmdir $group 2>/dev/null || :' EXIT
truncate -s 16M m/hole
echo +memory >/sys/fs/cgroup/cgroup.subtree_control
mkdir $group
echo 4M >$group/memory.high
printf 'echo $$ >%s/cgroup.procs\nexec cat m/hole\n' $group >limited
counts() {
	sed -n "s/^$2 //p" "$1"
}
$DTRACE -qn 'vminfo:::fsfree, vminfo:::dfree,
	vminfo:::scan /pid == $target/ { @[probename] = sum(arg0); }
	END { printa("%s %@d\n", @); }' -c 'sh limited' | tr -d '\0' | grep . >seen
stat=$group/memory.stat
[ "$(counts seen fsfree)" = "$(counts $stat pgsteal)" ] || { cat seen $stat; exit 1; }
[ "$(counts seen dfree)" = "$(counts $stat pgsteal)" ] || { cat seen $stat; exit 1; }
[ "$(counts seen scan)" = "$(counts $stat pgscan)" ] || { cat seen $stat; exit 1; }
[ "$(counts seen fsfree)" -gt 2048 ]

# The daemon begins below 5/4 of that number, and others help below it. Soon it would have taken
# the programs' own pages.
free=$(sed -n 's/^MemFree: *\([0-9]*\) kB/\1/p' /proc/meminfo)
cat >pressed <<W
cat /proc/vmstat >before
while [ "\$(grep pageoutrun /proc/vmstat)" = "\$(grep pageoutrun before)" ]; do
	echo $((free * 5 / 6)) >/proc/sys/vm/min_free_kbytes
	head -c 64k m/hole
	echo $least >/proc/sys/vm/min_free_kbytes
	sleep 0.1
done
cat /proc/vmstat >after
W
$DTRACE -qn 'uint64_t was[int];
	vminfo:::pgrrun { n += arg0; bad += substr(execname, 0, 6) != "kswapd" ||
		(args[1] && *args[1] < was[cpu]); was[cpu] = args[1] ? *args[1] : 0; }
	END { printf("pgrrun %d %d\n", n, bad); }' -c 'sh pressed' | tr -d '\0' | grep . >seen
[ "$(counts after pageoutrun)" -gt "$(counts before pageoutrun)" ]
[ "$(cat seen)" = "pgrrun $(($(counts after pageoutrun) - $(counts before pageoutrun))) 0" ] || {
	cat seen
	grep pageout before after
	exit 1
}
