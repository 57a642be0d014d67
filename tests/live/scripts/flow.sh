# A trace with depth: self->start[probefunc, depth], %*s, -= of "?:"; what takes what.
$DTRACE -n '
#pragma D option quiet
#pragma D option switchrate=10
self int depth;
dtrace:::BEGIN { printf("%3s %-16s -- %s\n", "C", "TIME(us)", "CALL"); self->depth = 0; }
syscall::getppid:entry, syscall::lseek:entry
/pid == $target/
{
	printf("%*s-> %s\n", self->depth * 2, "", probefunc);
	self->depth++;
	self->start[probefunc, self->depth] = timestamp;
}
syscall::getppid:return, syscall::lseek:return
/self->depth && self->start[probefunc, self->depth]/
{
	this->elapsed = timestamp - self->start[probefunc, self->depth];
	self->start[probefunc, self->depth] = 0;
	self->depth -= self->depth > 0 ? 1 : 0;
	printf("%*s<- %s %d\b%s\n", self->depth * 2, "", probefunc, this->elapsed > 0,
	    errno ? "failed" : "done");
}' -c 'calls -n 2'
