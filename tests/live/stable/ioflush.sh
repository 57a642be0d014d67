# io: what is done has been started, also where writes have the disk's cache flushed.
# @@needs: cmd:losetup cmd:mkfs.ext4
. "$FIXTURE/filesystem"
cat >work <<'W'
dd if=/dev/zero of=m/payload bs=64k count=1 conv=fsync 2>/dev/null
dd if=/dev/zero of=m/payload bs=4k count=2 oflag=sync 2>/dev/null
sync -f m
W
$DTRACE -q -C -D MINOR="${loop#/dev/loop}" -s /dev/stdin -c "sh work" <<'D' | grep done
io:::start
/args[1]->dev_major == 7 && args[1]->dev_minor == MINOR/
{
	going[arg0]++;
	flushes += !args[0]->b_bcount;
}
io:::done
/args[1]->dev_major == 7 && args[1]->dev_minor == MINOR/
{
	bad += going[arg0] != 1;
	going[arg0]--;
	n++;
}
END { printf("flushed %d, done %d, not started %d\n", flushes > 0, n > 0, bad); }
D
