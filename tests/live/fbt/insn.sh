# Instructions: offset 0 is the entry, 1 is inside an instruction, and there is no offset after the
# end.
# @@needs: kprobe
# @@status: 1
# @@stderr: ^dtrace: failed to enable
# @@stderr: ^dtrace: invalid probe specifier
dd='dd if=/dev/zero of=/dev/null bs=10 count=100 status=none'
$DTRACE -qn 'fbt::vfs_write:0, fbt::vfs_write:0x0,
	kinst::vfs_write:0 /pid == $target/ { @[probeprov, probefunc, probename] = count(); }
	END { printa("%s %s %s %@d\n", @); }' -c "$dd"
$DTRACE -qn 'fbt::vfs_write:1 { exit(0); }' 2>err && exit 1
cat err
$DTRACE -qn 'fbt::vfs_write:ffff { exit(0); }' 2>err && exit 1
sed "s/0x[0-9a-f]* bytes/N bytes/; 2,\$d" err
$DTRACE -e -n 'fbt::vfs_write:0 { trace(args[0]); }' 2>err && exit 1
sed 1q err
# The next instruction is at one of these; it runs each time.
for off in 2 3 4 5 6 7 8; do
	$DTRACE -qn "fbt::vfs_write:$off"'/pid == $target/ { @ = count(); }
		END { printa("%@d\n", @); }' -c "$dd" >out 2>/dev/null && break
done
cat out
