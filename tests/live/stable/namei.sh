# @@needs: kprobe
# sysinfo: names that are looked up: those of two files, a file that is opened, and where nine
# others are or shall be.
$DTRACE -qn 'self int on; syscall::mkdir:entry /pid == $target/ { self->on = 1; }
	syscall::mkdirat:entry /pid == $target/ { self->on = 1; }
	sysinfo:::namei /self->on/ { @[probefunc] = sum(arg0); }
	sysinfo::lookuppnvp: /self->on/ { @["all"] = sum(arg0); }
	END { printa("%s %@d\n", @); }' -c 'doings names' | sort | grep .
