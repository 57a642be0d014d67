# Typed arguments, by number and by name, against what the program does and what the system call
# sees.
# @@needs: kprobe
mkdir sub
cat >w <<'E'
for i in a bb ccc; do echo $i >>sub/file; done
E
$DTRACE -x strsize=64 -qn '
fbt::vfs_write:entry /pid == $target/ {
	@[stringof(args[0]->f_path.dentry->d_name.name),
	    stringof(args->file->f_path.dentry->d_parent->d_name.name), args[2],
	    args->count == arg2, stringof(copyin(arg1, 2)), arg0 == (int64_t)args[0]] = count(); }
END { printa("%s in %s: %d %d %.1s %d: %@d\n", @); }' -c 'sh w'
echo "--- what a function returns is what the program sees"
$DTRACE -qn '
fbt::ksys_read:entry /pid == $target/ { self->fd = args[0]; self->count = args[2]; }
fbt::ksys_read:return /self->count == 777/ { printf("%d %d %d\n", self->fd, args[1], arg1);
	self->count = 0; }
fbt::vfs_read:return /pid == $target/ { @a = sum(args[1]); @n = count(); }
syscall::read:return /pid == $target && arg1 >= 0/ { @b = sum(arg1); @m = count(); }
END { printa("a %@d\n", @a); printa("b %@d\n", @b); printa("n %@d\n", @n); printa("m %@d\n", @m); }
' -c 'dd if=/dev/zero of=/dev/null bs=777 count=3 status=none' >out
grep ' 777 ' out
for pair in 'a b' 'n m'; do
	set -- $pair
	[ "$(sed -n "s/^$1 //p" out)" = "$(sed -n "s/^$2 //p" out)" ]
done
echo "--- a function of no arguments that returns nothing"
$DTRACE -lvn 'fbt::schedule:' | sed -n 's/^[[:space:]]*//; /^args/p; /^None/p'
