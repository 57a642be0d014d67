# @@needs: cmd:losetup
# tools/bitesize.d: twenty requests of 8 KB.
. "$FIXTURE/disk"
read="dd if=$loop of=/dev/null iflag=direct bs=8k count=20 status=none"
$DTRACE -s "$SRC/tools/bitesize.d" -c "$read" >out 2>err
grep -q '^  dd  *R' out
awk '$1 == 8192 && $NF == 20 { ok = 1 } END { exit !ok }' out
