# SPDX-License-Identifier: GPL-2.0-or-later
# Which paths are opened and made, and how often: the pointer is kept for the return, what fails
# counts apart, paths are cut to their ends.
# @@stderr: ^dtrace: .*pid [0-9]+ has exited.*$
mkdir -p some/where
echo text >some/where/there
cat >work <<'W'
exec 3<some/where/there
exec 3<some/where/there
exec 4>some/made
exec 4>>some/made
for i in 1 2; do : <some/missing; done
W
cat >opens.d <<'D'
#pragma D option quiet
#pragma D option strsize=128
inline int O_WAY = O_RDONLY | O_WRONLY | O_RDWR;
syscall::open*:entry
/pid == $target/
{
	self->pathp = probefunc == "open" ? arg0 : arg1;
	self->flags = probefunc == "open" ? arg1 : arg2;
}
syscall::open*:return
/self->pathp && arg0 != -1/
{
	this->path = copyinstr(self->pathp);
	self->ok = strstr(this->path, "some/") == this->path;
}
syscall::open*:return
/self->ok/
{
	@opened[basename(this->path), dirname(this->path)] = count();
	(self->flags & O_CREAT) ? @made[this->path] = count() : 1;
	@way[(self->flags & O_WAY) == O_RDONLY ? "R" : (self->flags & O_APPEND) ?
	    "A" : "W"] = count();
	self->ok = 0;
}
syscall::open*:return
/self->pathp && arg0 == -1 && (this->path = copyinstr(self->pathp)) == "some/missing"/
{
	@failed[this->path, errno == ENOENT ? "ENOENT" : "?"] = count();
}
syscall::open*:return
/self->pathp/
{
	self->pathp = 0;
	self->flags = 0;
}
END
{
	printa("%@8d %-10s %s\n", @opened);
	printa("made %s %@d\n", @made);
	printa("failed %s %s %@d\n", @failed);
	printa("%s%@d ", @way);
	printf("\n");
}
D
$DTRACE -x aggsortkey -s opens.d -c 'bash work' 2>err
