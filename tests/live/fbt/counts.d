/* @@trigger: dd if=/dev/zero of=/dev/null bs=10 count=200 status=none */
/* @@needs: kprobe */
/* @@opts: -q */
/*
 * Entry and return of one function, as often as the program calls it; by literal name and by a
 * glob, fbt and rawfbt.
 */
fbt:vmlinux:vfs_write:entry
/pid == $target/
{
	@n["entry"] = count();
	self->in = 1;
}

fbt::vfs_wri[t]e:return
/pid == $target && self->in/
{
	@n["return"] = count();
	@same[arg0, arg1, args[1], probeprov, probemod, probefunc, probename] = count();
	self->in = 0;
}

rawfbt::vfs_writ?:
/pid == $target/
{
	@n[strjoin("raw ", probename)] = count();
}

fbt::vfs_[rw]*:entry
/pid == $target && probefunc == "vfs_write"/
{
	@n["one of many"] = count();
}

END
{
	printa("%s %@d\n", @n);
	printa("%d %d %d %s %s %s %s %@d\n", @same);
}
