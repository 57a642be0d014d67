# @@needs: cmd:losetup
# demo/iotop.d: the requests and kilobytes of a command.
[ -e /dev/loop-control ] || modprobe loop 2>/dev/null || { echo "there are no loop devices"; exit 77; }
truncate -s 1M image
loop=$(losetup -f) && losetup "$loop" image || { echo "there are no loop devices"; exit 77; }
trap 'losetup -d "$loop"' EXIT
read="dd if=$loop of=/dev/null iflag=direct bs=8k count=20 status=none"
$DTRACE -s "$SRC/demo/iotop.d" -c "$read" >out 2>err
grep -q '^[12][0-9][0-9][0-9] [A-Z][a-z][a-z] .*, load [0-9]*\.[0-9][0-9], disks: [0-9]* KB read, 0 KB written$' out
awk -v disk="${loop#/dev/}" '$4 == "dd" && $5 == disk && $6 == "R" { reqs += $7; kb += $8; us += $9 } END { exit !(reqs == 20 && kb == 160 && us > 0) }' out
