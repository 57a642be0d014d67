# @@needs: cmd:losetup cmd:mkfs.ext4
# io: a thread that reads what is not in memory waits, and goes on; where functions can be traced,
# what for.
# @@status: 1
# @@stderr: ^dtrace: failed to match fbt::submit_bio_wait:entry: No probe
# @@stderr: ^dtrace: warning: fbt::submit_bio_wait:entry: this kernel does not
. "$FIXTURE/filesystem"
undo="cd / && umount $PWD/m || :; losetup -d $loop 2>/dev/null || :"
if [ ! -e /sys/module/null_blk ] &&
	modprobe null_blk nr_devices=1 irqmode=2 completion_nsec=2000000 2>/dev/null; then
	trap "rmmod null_blk 2>/dev/null || :; $undo" EXIT # a disk that takes its time
	reader='dd if=/dev/nullb0 of=/dev/null bs=4096 skip=5 count=20 iflag=direct status=none'
else
	# In many pieces: some may be there before they are waited for.
	head -c 2097152 /dev/zero >m/payload
	sync -f m
	dd of=m/payload oflag=nocache conv=notrunc,fdatasync count=0 2>/dev/null # forgets its pages
	reader='cat m/payload'
fi
told=
if $DTRACE -l -n fbt::submit_bio_wait:entry >/dev/null 2>&1; then told=yes; fi
# Before 5.16 a direct read of a disk waits without the function.
case $told$reader$(uname -r) in
yesdd*[!0-9]5.[0-9].* | yesdd*5.1[0-5].*) whole= ;;
yesdd*) whole=yes ;;
*) whole= ;;
esac
$DTRACE -qn 'io:::wait-start /pid == $target/ { since = timestamp; n++; }
io:::wait-start, io:::wait-done
/pid == $target && args[0]->b_bcount && args[1]->dev_statname == "nullb0"/ {
	known++;
	bad += args[0]->b_bcount != 4096 || !(args[0]->b_flags & B_READ);
	bad += args[0]->b_blkno < 40 || args[0]->b_blkno >= 200;
	bad += args[2]->fi_pathname != "/dev/nullb0" ||
	    getminor(args[0]->b_edev) != args[1]->dev_minor; }
io:::wait-start, io:::wait-done /pid == $target && args[1]->dev_statname == "<none>"/ {
	bad += args[0]->b_bcount || args[2]->fi_name != "<none>"; }
io:::wait-done /pid == $target/ { m++; bad += timestamp < since; }
END { printf("waits as often as it goes on %d %d, for nothing %d, known %d\n", n > 0,
	m >= n - 1 && m <= n + 1, bad, known); }' -c "$reader" |
	tr -d '\0' | grep . >out
if [ "$whole" ]; then grep -q 'known [34][0-9]$' out || { cat out; exit 1; }; fi
sed 's/, known.*//' out
# What is written is waited for by its pages.
head -c 2097152 /dev/zero >m/payload
[ "$told" ] || { echo "written: 1 0"; exit; }
$DTRACE -q -C -D MINOR="${loop#/dev/loop}" -s /dev/stdin -c 'sync m/payload' <<'D' | grep .
io:::wait-start, io:::wait-done
/pid == $target && args[2]->fi_name == "payload"/
{
	n++;
	bad += args[1]->dev_major != 7 || args[1]->dev_minor != MINOR;
	bad += !(args[0]->b_flags & B_WRITE) || args[2]->fi_offset >= 2097152;
	bad += strstr(args[2]->fi_pathname, "/m/payload") == NULL || args[2]->fi_fs != "ext4" ||
	    args[1]->dev_pathname == "<none>";
}
END
{
	printf("written: %d %d\n", n > 0, bad);
}
D
