# tools/vfscount.d: five hundred writes are as many calls.
# @@needs: kprobe
$DTRACE -s "$SRC/tools/vfscount.d" \
	-c 'dd if=/dev/zero of=/dev/null bs=4k count=500 status=none' >out 2>err
awk '$1 == "vfs_write" && $2 == 500 { found = 1 } END { exit !found }' out
