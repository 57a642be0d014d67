# @@needs: cmd:losetup
# tools/iosnoop.d: each request of a command to a disk.
. "$FIXTURE/disk"
read="dd if=$loop of=/dev/null iflag=direct bs=8k count=20 status=none"
$DTRACE -s "$SRC/tools/iosnoop.d" -c "$read" >out 2>err
[ "$(grep -cE "^ *$(id -u) +[0-9]+ R +[0-9]+ +8192 dd " out)" = 20 ]
awk '$6 == "dd" { print $4 }' out | sort -n | awk '$1 != (NR - 1) * 16 { bad = 1 } END { exit bad }'
$DTRACE -s "$SRC/tools/iosnoop.d" -c "$read" cat >out 2>err
! grep -q ' dd ' out || exit 1
