# tools/syncsnoop.d: the calls that write a file to its disk, with its name.
$DTRACE -s "$SRC/tools/syncsnoop.d" \
	-c "sh -c 'dd if=/dev/zero of=made bs=4k count=1 conv=fsync; sync -d made; sync -f made'" \
	>out 2>err
for call in fsync fdatasync syncfs; do
	grep -qE "^[12][0-9]{3} [A-Z].* [0-9]+ (dd|sync) +$call +[0-9]+ $PWD/made\$" out
done
