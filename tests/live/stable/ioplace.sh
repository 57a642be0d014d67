# @@needs: cmd:losetup cmd:mkfs.ext4 cmd:unshare
# io: names of files whose file system is mounted at several places: the whole before a directory
# of it, whichever came first, and that of one's own namespace before others; a directory where
# there is nothing else. What is written to the device itself is no file.
. "$FIXTURE/filesystem"
cat >work <<'W'
echo $$ >"$1/payload"
sync -f "$1/payload"
dd if=/dev/zero of="$2" bs=4k seek=512 count=1 conv=notrunc,fdatasync 2>/dev/null
W
cat >names.d <<'D'
io:::start
/args[1]->dev_major == 7 && args[1]->dev_minor == $1 && args[0]->b_bcount &&
    args[2]->fi_name == "payload"/
{
	@[$$2, args[2]->fi_mount, args[2]->fi_dirname, args[2]->fi_pathname] = max(1);
}
io:::start
/args[1]->dev_major == 7 && args[1]->dev_minor == $1 && args[0]->b_bcount &&
    args[2]->fi_name == "" /
{
	@nameless = count();
}
END
{
	printa("%s: %s %s %s\n", @);
	printa("without a name: %@d\n", @nameless);
}
D
trace() {
	$DTRACE -x strsize=96 -qs names.d -c "sh work $2 $loop" "${loop#/dev/loop}" "$1" |
		sed -e "s|[^ ]*$PWD/|/|g" -e '/^$/d'
}
mkdir -p m/deep/er bound twice
trace once m/deep
mount --bind m/deep bound
trace folder m/deep
trace 'through it' bound
mount --bind m twice
trace again m/deep
umount twice
# Another namespace has the whole, ours has the directory only.
umount bound
mount --bind m/deep/er bound
mkfifo hold
unshare -m --propagation private sh -c 'echo >hold; read x <hold' & other=$!
read x <hold
umount m
trace kept bound
echo >hold
wait $other
umount bound
