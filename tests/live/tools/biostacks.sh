# @@needs: cmd:losetup
# tools/biostacks.d: the requests of a command, by the stack of its read().
. "$FIXTURE/disk"
$DTRACE -s "$SRC/tools/biostacks.d" \
	-c "dd if=$loop of=/dev/null iflag=direct bs=8k count=20 status=none" >out 2>err
grep -q 'vmlinux`.*read' out
[ "$(awk '/\|/ { n += $NF } END { print n }' out)" -ge 20 ]
