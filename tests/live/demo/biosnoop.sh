# @@needs: cmd:losetup
# demo/biosnoop.d: each request has its line.
[ -e /dev/loop-control ] || modprobe loop 2>/dev/null || { echo "there are no loop devices"; exit 77; }
truncate -s 1M image
loop=$(losetup -f) && losetup "$loop" image || { echo "there are no loop devices"; exit 77; }
trap 'losetup -d "$loop"' EXIT
read="dd if=$loop of=/dev/null iflag=direct bs=8k count=20 status=none"
$DTRACE -s "$SRC/demo/biosnoop.d" -c "$read" >out 2>err
[ "$(grep -c "^ *[0-9][0-9]*  *dd  *[0-9][0-9]* ${loop#/dev/}  *R  *[0-9][0-9]*  *8192  *[0-9][0-9]* <none>\$" out)" = 20 ]
grep -q ' 304 * 8192 ' out # the last sector's
