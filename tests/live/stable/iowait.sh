# @@needs: cmd:losetup cmd:mkfs.ext4
# io: who reads what is not in memory waits, and goes on.
$DTRACE -l -n io:::wait-done >/dev/null 2>&1 || { echo "this kernel does not tell who goes on"; exit 77; }
if [ ! -e /sys/module/null_blk ] && modprobe null_blk nr_devices=1 irqmode=2 completion_nsec=2000000 2>/dev/null; then
	trap 'rmmod null_blk 2>/dev/null || :' EXIT # a disk that takes its time
	reader='dd if=/dev/nullb0 of=/dev/null bs=4096 count=20 iflag=direct status=none'
else
	. "$FIXTURE/filesystem"
	head -c 2097152 /dev/zero >m/payload # in many pieces: some may be there before they are waited for
	sync -f m
	dd of=m/payload oflag=nocache conv=notrunc,fdatasync count=0 2>/dev/null # forgets its pages
	reader='cat m/payload'
fi
$DTRACE -qn 'io:::wait-start /pid == $target/ { since = timestamp; n++; bad += args[0]->b_bcount || args[2]->fi_name != "<none>"; }
io:::wait-done /pid == $target/ { m++; bad += args[1]->dev_statname != "<none>" || timestamp < since; }
END { printf("waits as often as it goes on %d %d, for nothing %d\n", n > 0, m >= n - 1 && m <= n + 1, bad); }' -c "$reader" |
	tr -d '\0' | grep .
