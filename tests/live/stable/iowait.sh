# @@needs: cmd:losetup cmd:mkfs.ext4
# io: who reads a file that is not in memory waits, and goes on.
$DTRACE -l -n io:::wait-done >/dev/null 2>&1 || { echo "this kernel does not tell who goes on"; exit 77; }
. "$FIXTURE/filesystem"
head -c 2097152 /dev/zero >m/payload # in many pieces: one may be there before it is waited for
sync -f m
dd of=m/payload oflag=nocache conv=notrunc,fdatasync count=0 2>/dev/null # forgets its pages
$DTRACE -qn 'io:::wait-start /pid == $target/ { since = timestamp; n++; bad += args[0]->b_bcount || args[2]->fi_name != "<none>"; }
io:::wait-done /pid == $target/ { m++; bad += args[1]->dev_statname != "<none>" || timestamp < since; }
END { printf("waits as often as it goes on %d %d, for nothing %d\n", n > 0, m >= n - 1 && m <= n + 1, bad); }' -c 'cat m/payload' |
	tr -d '\0' | grep .
