# @@needs: cmd:losetup
# demo/bitesize.d: twenty requests of 8 KB.
[ -e /dev/loop-control ] || modprobe loop 2>/dev/null || { echo "there are no loop devices"; exit 77; }
truncate -s 1M image
loop=$(losetup -f) && losetup "$loop" image || { echo "there are no loop devices"; exit 77; }
trap 'losetup -d "$loop"' EXIT
read="dd if=$loop of=/dev/null iflag=direct bs=8k count=20 status=none"
$DTRACE -s "$SRC/demo/bitesize.d" -c "$read" >out 2>err
grep -q '^  dd  *R' out
awk '$1 == 8192 && $NF == 20 { ok = 1 } END { exit !ok }' out
