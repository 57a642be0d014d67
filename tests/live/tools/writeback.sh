# tools/writeback.d: what sync asks of the kernel's threads, of a file that has just been written.
[ "$(stat -f -c %T .)" = ext2/ext3 ] || { echo "no file system on a disk here"; exit 77; }
$DTRACE -s "$SRC/tools/writeback.d" \
	-c "sh -c 'dd if=/dev/zero of=made bs=64k count=16 status=none; sync -f made; sleep 0.1'" \
	>out 2>err
grep -qE '^TIME +DISK +REASON +PAGES +US$' out
grep -qE '^[12][0-9]{3} .* [^ ]+ +(sync|background|periodic) +[0-9]+ +[0-9]+$' out
