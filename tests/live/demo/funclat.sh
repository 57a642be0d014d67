# demo/funclat.d: each call of the functions is in a distribution.
# @@needs: kprobe
$DTRACE -s "$SRC/demo/funclat.d" -c 'dd if=/dev/zero of=/dev/null bs=4k count=500 status=none' 'vfs_wr[i]te' >out 2>err
grep -q '^  vfs_write *$' out
[ "$(awk '/\|/ { n += $NF } END { print n }' out)" = 500 ]
