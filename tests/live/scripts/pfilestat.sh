# In the manner of pfilestat and fsrw: files of reads and writes by fds[], with a default for what
# has no name.
echo some text >file
$DTRACE -n '
#pragma D option quiet
#pragma D option defaultargs
inline int INTERVAL = $1 ? $1 : 1;
dtrace:::BEGIN { secs = INTERVAL; }
syscall::read:entry, syscall::write:entry, syscall::pread*:entry, syscall::pwrite*:entry
/pid == $target && (fds[arg0].fi_name == "file" || fds[arg0].fi_name == "null")/
{
	self->path = fds[arg0].fi_pathname == "/dev/null" ? "<other>" : fds[arg0].fi_pathname;
	self->start = vtimestamp;
	@calls[probefunc, basename(self->path), fds[arg0].fi_mount == "/dev" ? "device" : "file",
	    fds[arg0].fi_mount != ""] = count();
}
syscall::read:return, syscall::write:return
/self->start/
{
	@bytes[probefunc == "read" ? "read" : "write", basename(self->path)] =
	    sum(arg0 > 0 ? arg0 : 0);
	this->cpu = vtimestamp - self->start;
	@pc[basename(self->path)] = sum(this->cpu);
	self->start = 0; self->path = 0;
}
END { normalize(@pc, 1000000000); printa("%s %s %s %d %@d\n", @calls);
	printa("%6@d %-6s %s\n", @bytes); printa("%s %@d\n", @pc); }
' -c 'dd if=file of=/dev/null bs=4 status=none' | sort
