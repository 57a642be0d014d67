# @@needs: cmd:losetup cmd:mkswap file:/sys/module/9pnet_virtio/refcnt
# vminfo and sysinfo, in a guest only: memory that is swapped out, reclaimed and comes back; modules.
grep -qw memory /sys/fs/cgroup/cgroup.controllers || { echo "no group's memory can be limited here"; exit 77; }
size=128M
. "$FIXTURE/disk"
group=/sys/fs/cgroup/swap.$$
trap 'swapoff $loop 2>/dev/null; losetup -d $loop; rmdir $group 2>/dev/null || :' EXIT
mkswap "$loop" >/dev/null
swapon "$loop"
echo +memory >/sys/fs/cgroup/cgroup.subtree_control
mkdir $group
echo 24M >$group/memory.high # not max: a slow disk must not have it killed. Who is far above it is made to sleep
printf 'echo $$ >%s/cgroup.procs\nexec doings swaps\n' $group >limited
$DTRACE -Zqn 'vminfo:::pgswapout, vminfo:::pgswapin, vminfo:::anonpgout, vminfo:::anonpgin, vminfo:::scan, vminfo:::anonfree, vminfo:::dfree
	/pid == $target/ { n[probename] += arg0; }
	END {
		printf("out %d %d\n", n["pgswapout"] > 1000, n["anonpgout"] == n["pgswapout"]);
		printf("in %d %d\n", n["pgswapin"] > 100, n["anonpgin"] == n["pgswapin"]);
		printf("reclaimed %d %d %d\n", n["scan"] > 1000, n["anonfree"] > 1000, n["dfree"] >= n["anonfree"]);
	}' -c 'sh limited' | grep .
$DTRACE -qn 'sysinfo:::modload, sysinfo:::modunload /ppid == $target/ { n[probename] += arg0; }
	END { printf("modules %d %d\n", n["modload"], n["modunload"]); }' -c 'sh -c "modprobe dummy; rmmod dummy; :"' | grep .
