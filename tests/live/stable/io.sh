# @@needs: cmd:losetup cmd:mkfs.ext4
# io: a file of 64 KB is written to a file system on a loop device, which is a block device of
# major 7, and read again, in requests of 16 KB at most.
. "$FIXTURE/filesystem"
limit=/sys/block/${loop#/dev/}/queue/max_sectors_kb usual=$(cat "$limit")
echo 16 >"$limit"
echo "sh work; echo $usual >$limit" >finish
cat >work <<'W'
dd if=/dev/zero of=m/payload bs=64k count=1 2>/dev/null
sync -f m
dd of=m/payload oflag=nocache conv=notrunc,fdatasync count=0 2>/dev/null # forgets its pages
cat m/payload >/dev/null
W
$DTRACE -q -C -D MINOR="${loop#/dev/loop}" -s /dev/stdin -c "sh finish" <<'D'
io:::start
/args[1]->dev_major == 7 && args[1]->dev_minor == MINOR && args[2]->fi_name == "payload"/
{
	size[args[0]->b_flags & B_READ ? "read" : "written"] += args[0]->b_bcount;
	bad += getmajor(args[0]->b_edev) != 7 || getminor(args[0]->b_edev) != MINOR;
	bad += args[1]->dev_pathname != strjoin("/dev/", args[1]->dev_statname) ||
	    args[0]->b_blkno > 8192;
	bad += !(args[0]->b_flags & B_PAGEIO) ||
	    (args[0]->b_flags & (B_READ | B_WRITE)) == (B_READ | B_WRITE);
	bad += strstr(args[2]->fi_pathname, "/m/payload") == NULL || args[2]->fi_offset % 4096;
	bad += args[0]->b_bcount > 16384 || args[2]->fi_offset + args[0]->b_bcount > 65536;
	quarters |= 1 << (args[2]->fi_offset >> 14) << (args[0]->b_flags & B_READ ? 4 : 0);
	at[arg0] = args[0]->b_bcount;
	fs = args[2]->fi_fs;
	mount = basename(args[2]->fi_mount);
	dir = basename(args[2]->fi_dirname);
}
io:::start
/args[1]->dev_major == 7 && args[1]->dev_minor == MINOR/
{
	flushes += !args[0]->b_bcount;
	bad += args[0]->b_blkno > 8192 || args[0]->b_lblkno != args[0]->b_blkno;
}
io:::done
/at[arg0]/
{
	done += at[arg0] == args[0]->b_bcount;
	size["done"] += args[0]->b_bcount;
	bad += args[2]->fi_name != "payload";
	at[arg0] = 0;
}
END
{
	printf("%d flushed; parts %x; ", flushes > 0, quarters);
	printf("%d written, %d read, %d done; bad %d %d; %s %s %s\n", size["written"],
	    size["read"], size["done"], bad, done > 0, fs,
	    mount, dir);
}
D
