# Functions of a module, with its own types where the kernel has them.
# @@needs: kprobe file:/sys/module/overlay/refcnt
# @@status: 1
# @@stderr: ^dtrace: invalid probe specifier
[ "$(stat -f -c %T .)" = overlayfs ] || { echo "this folder is not on overlay"; exit 77; }
echo text >file
$DTRACE -lm fbt:overlay >list
[ "$(wc -l <list)" -gt 200 ]
[ "$(awk 'NR > 1 { print $3 }' list | sort -u)" = overlay ]
# Opened twice.
$DTRACE -qn 'fbt:overlay:ovl_open:entry /pid == $target/ { @[probemod, probefunc] = count(); }
	fbt::ovl_op*n:return /pid == $target/ { @r[probefunc, (int)arg1] = count(); }
	END { printa("%s %s %@d\n", @); printa("%s %d %@d\n", @r); }' -c 'cat file file' >>out
grep -q '^overlay ovl_open [2-9]$' out
grep -q '^ovl_open 0 [2-9]$' out
if [ -e /sys/kernel/btf/overlay ]; then
	$DTRACE -lvn fbt::ovl_open:entry | grep -q 'args\[1\]: struct file \*  (file)'
	$DTRACE -qn 'fbt::ovl_open:entry /pid == $target/ {
		@[stringof(args->file->f_path.dentry->d_name.name)] = count(); }
		END { printa("%s %@d\n", @); }' -c 'cat file file' >out
	grep -qx 'file 2' out
	# The module's own structs, named after it.
	$DTRACE -e -n 'BEGIN { trace(sizeof(overlay`struct ovl_fs)); }'
else
	$DTRACE -e -n 'fbt::ovl_open:entry { trace(args[0]); }' 2>err && exit 1
	why='the kernel has no type data'
	grep -q "the types of the arguments of fbt:overlay:ovl_open:entry are not known: $why" err
fi
