# @@needs: cmd:losetup
# tools/biosnoop.d: each request has its line.
. "$FIXTURE/disk"
read="dd if=$loop of=/dev/null iflag=direct bs=8k count=20 status=none"
$DTRACE -s "$SRC/tools/biosnoop.d" -c "$read" >out 2>err
n='[0-9][0-9]*'
line="^ *$n  *dd  *$n ${loop#/dev/}  *R  *$n  *8192  *$n \(.*$loop\|<none>\)\$"
[ "$(grep -c "$line" out)" = 20 ]
grep -q ' 304 * 8192 ' out # the last sector's
