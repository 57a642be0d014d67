# @@needs: kprobe cmd:losetup cmd:mkswap file:/sys/module/9pnet_virtio/refcnt
# tools/swapin.d, in a guest only: a process whose memory is swapped out and comes back.
grep -qw memory /sys/fs/cgroup/cgroup.controllers || { echo "no group's memory can be limited here"; exit 77; }
size=128M
. "$FIXTURE/disk"
group=/sys/fs/cgroup/swapin.$$
trap 'swapoff $loop 2>/dev/null; losetup -d $loop; rmdir $group 2>/dev/null || :' EXIT
mkswap "$loop" >/dev/null
swapon "$loop"
echo +memory >/sys/fs/cgroup/cgroup.subtree_control
mkdir $group
echo 24M >$group/memory.high # as in stable/swap.sh
printf 'echo $$ >%s/cgroup.procs\nexec doings swaps\n' $group >limited
$DTRACE -s "$SRC/tools/swapin.d" -c 'sh limited' >out 2>err
grep -qE '^TIME +PID COMM +PAGES$' out
awk '$6 == "doings" { n += $7 } END { exit !(n > 100) }' out
