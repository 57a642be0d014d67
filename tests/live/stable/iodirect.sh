# @@needs: cmd:losetup cmd:mkfs.ext4
# io: direct I/O, of a file and of the disk itself: its pages are the caller's, its name is found
# all the same, of requests of 16 KB, too, that others were cut to.
. "$FIXTURE/filesystem"
head -c 131072 /dev/zero >m/payload
sync -f m
cat >work <<W
direct m/payload
direct $loop
dd if=$loop of=/dev/null bs=4096 count=1 iflag=direct status=none
W
cat >script <<'D'
#define MINE (args[1]->dev_major == 7 && args[1]->dev_minor == MINOR)
#define NAME args[2]->fi_name
#define WHAT (args[0]->b_flags & B_READ ? "read" : "written")
io:::start
/MINE && (NAME == $$1 || NAME == "payload")/
{
	bad += args[0]->b_flags & B_PAGEIO || !(args[0]->b_flags & B_PHYS);
	start[NAME == $$1, WHAT] += args[0]->b_bcount;
	offset += args[2]->fi_offset;
}
io:::start
/MINE && NAME == "payload"/
{
	bad += strstr(args[2]->fi_pathname, "/m/payload") == NULL || args[2]->fi_fs != "ext4" ||
	    basename(args[2]->fi_mount) != "m";
	bad += basename(args[2]->fi_dirname) != "m";
}
io:::done
/MINE && (NAME == $$1 || NAME == "payload")/
{
	done[NAME == $$1, WHAT] += args[0]->b_bcount;
}
END
{
	/* What is written to a disk that is mounted goes through the page cache. */
	printf("start: disk %d read; file %d, %d written\n", start[1, "read"],
	    start[0, "read"], start[0, "written"]);
	/* Who waits for the disk itself may not wait yet when it is done; io_submit() is found. */
	printf("done: disk %d; file %d, %d written; bad %d, offset %d\n",
	    done[1, "read"] >= 65536, done[0, "read"],
	    done[0, "written"], bad, offset);
}
D
limit=/sys/block/${loop#/dev/}/queue/max_sectors_kb usual=$(cat "$limit")
$DTRACE -q -C -D MINOR="${loop#/dev/loop}" -s script "${loop#/dev/}" -c 'sh work'
echo 16 >"$limit"
echo "sh work; echo $usual >$limit" >finish
$DTRACE -q -C -D MINOR="${loop#/dev/loop}" -s script "${loop#/dev/}" -c "sh finish" |
	sed 's/, offset.*//'
