# @@needs: cmd:losetup
# io: a disk that is a file in a file system of 1 MB, which is full: the write that fails, why, and
# what was to be written.
[ -e /dev/loop-control ] || modprobe loop 2>/dev/null || {
	echo "there are no loop devices"
	exit 77
}
mkdir small
mount -t tmpfs -o size=1m tmpfs small
small=$PWD/small
trap 'umount $small' EXIT
truncate -s 4m small/disk
loop=$(losetup -f) && losetup "$loop" small/disk || { echo "there are no loop devices"; exit 77; }
trap 'losetup -d $loop; umount $small' EXIT
yes "it is written s" | head -c 65536 >block
cat >work <<W
while dd if=block of=$loop bs=64k count=1 seek=\${n:=0} oflag=direct 2>/dev/null; do
	n=\$((n + 1))
done
W
$DTRACE -q -C -D MINOR="${loop#/dev/loop}" -s /dev/stdin -c 'sh work' <<'D' | grep .
#define OURS args[1]->dev_major == 7 && args[1]->dev_minor == MINOR && args[0]->b_bcount
syscall::write:return
/progenyof($target) && execname == "dd" && errno/
{
	failed = errno;
}
io:::start
/OURS/
{
	early += args[0]->b_flags & (B_DONE | B_ERROR) || args[0]->b_error || args[0]->b_resid;
}
io:::start
/OURS && args[0]->b_addr != NULL/
{
	this->text = (char *)args[0]->b_addr;
	strange += substr(stringof(this->text), 0, 16) != "it is written s\n";
	addresses++;
}
io:::done
/OURS && !args[0]->b_error/
{
	went++;
	bad += args[0]->b_resid || (args[0]->b_flags & (B_DONE | B_ERROR)) != B_DONE;
}
io:::done
/OURS && args[0]->b_error/
{
	lost++;
	error = args[0]->b_error;
	bad += args[0]->b_resid != args[0]->b_bcount ||
	    (args[0]->b_flags & (B_DONE | B_ERROR)) != (B_DONE | B_ERROR);
}
END
{
	printf("%d written, %d not: %d, %d; %d %d; memory %d %d\n", went >= 14, lost > 0,
	    error == failed, error == ENOSPC || error == EIO, bad,
	    early, addresses > 14, strange);
}
D
