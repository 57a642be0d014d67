# tools/funclat.d: each call is in the distribution of its function, of the many that are traced.
# @@needs: kprobe
$DTRACE -s "$SRC/tools/funclat.d" \
	-c 'dd if=/dev/zero of=/dev/null bs=4k count=500 status=none' 'vfs_[rw]*' >out 2>err
grep -q '^  vfs_write *$' out
[ "$(awk '/^  vfs_/ { f = $1 } /\|/ && f == "vfs_write" { n += $NF } END { print n }' out)" = 500 ]
