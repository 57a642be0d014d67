# @@needs: cmd:losetup
# tools/biolatency.d: every request is in the distributions, of one disk and in milliseconds, too.
. "$FIXTURE/disk"
read="dd if=$loop of=/dev/null iflag=direct bs=8k count=20 status=none"
sum() {
	awk '/\|/ { n += $NF } END { print n }' "$1"
}
$DTRACE -s "$SRC/tools/biolatency.d" -c "$read" >out 2>err
grep -q '^  all disks (us)' out
[ "$(sum out)" -ge 20 ]
$DTRACE -s "$SRC/tools/biolatency.d" -c "$read" m B >out 2>err
grep -q "^  ${loop#/dev/} (ms)" out
[ "$(sum out)" -ge 20 ]
