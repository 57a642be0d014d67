# @@needs: cmd:losetup cmd:mkfs.ext4
# io: who reads a file that is not in memory waits, and goes on.
$DTRACE -l -n io:::wait-done >/dev/null 2>&1 || { echo "this kernel does not tell who goes on"; exit 77; }
grep -qw ext4 /proc/filesystems || modprobe ext4 2>/dev/null || { echo "there is no ext4"; exit 77; }
[ -e /dev/loop-control ] || modprobe loop 2>/dev/null || { echo "there are no loop devices"; exit 77; }
truncate -s 4M image
mkfs.ext4 -q -F -O ^has_journal,^resize_inode image
loop=$(losetup -f) || { echo "there are no loop devices"; exit 77; }
losetup "$loop" image
mkdir m
mount "$loop" m
trap 'umount m; losetup -d $loop 2>/dev/null || :' EXIT
head -c 65536 /dev/zero >m/payload
sync -f m
dd of=m/payload oflag=nocache conv=notrunc,fdatasync count=0 2>/dev/null # forgets its pages
$DTRACE -qn 'io:::wait-start /pid == $target/ { since = timestamp; n++; bad += args[0]->b_bcount || args[2]->fi_name != "<none>"; }
io:::wait-done /pid == $target/ { m++; bad += args[1]->dev_statname != "<none>" || timestamp < since; }
END { printf("waits as often as it goes on %d %d, for nothing %d\n", n > 0, m >= n - 1 && m <= n + 1, bad); }' -c 'cat m/payload' |
	tr -d '\0' | grep .
