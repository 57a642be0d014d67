# In the manner of dtruss: calls with their arguments, results, text that was written, the error;
# children followed.
[ "$(uname -m)" != aarch64 ] || {
	echo "children are followed from their return from clone, of which aarch64 tells nothing"
	exit 77
}
$DTRACE -n '
#pragma D option quiet
#pragma D option switchrate=10
inline int OPT_printid = 0; inline int OPT_elapsed = 0; inline int OPT_cpu = 0;
inline int OPT_follow = 1; inline int OPT_counts = 1;
inline int OPT_stack = 0; inline int OPT_command = 1; inline int OPT_pid = 0; inline int PID = 0;
dtrace:::BEGIN
{
	self->child = 0;
	OPT_printid ? printf("%-8s  ", "PID/LWP") : 1;
	OPT_elapsed ? printf("%7s ", "ELAPSD") : 1;
	printf("SYSCALL(args) \t\t = return\n");
}
syscall:::entry
/(OPT_command && pid == $target) || (OPT_pid && pid == PID) || (self->child)/
{
	self->start = timestamp;
	self->vstart = vtimestamp;
	self->arg0 = arg0; self->arg1 = arg1; self->arg2 = arg2;
	OPT_counts == 1 ? @Counts[probefunc] = count() : 1;
}
syscall::fork*:return, syscall::vfork:return, syscall::clone*:return
/OPT_follow && progenyof($target) && (int)arg1 == 0/
{
	self->child = 1;
}
syscall::write:return, syscall::pwrite:return
/self->start/
{
	this->elapsed = timestamp - self->start; self->start = 0;
	this->cpu = vtimestamp - self->vstart; self->vstart = 0;
	self->code = errno == 0 ? "" : "Err#";
	this->text = arg0 > 0 ? stringof(copyin(self->arg1, arg0)) : "";
	OPT_printid ? printf("%5d/%d:  ", pid, tid) : 1;
	OPT_elapsed ? printf("%7d ", this->elapsed / 1000) : 1;
	printf("%s(0x%X, \"%S\", 0x%X)\t\t = %d %s%d\n", probefunc, self->arg0, this->text,
	    self->arg2, (int)arg0, self->code, (int)errno);
	OPT_stack ? ustack() : 1; OPT_stack ? trace("\n") : 1;
	self->arg0 = 0; self->arg1 = 0; self->arg2 = 0; self->code = 0;
}
syscall::chdir:return
/self->start/
{
	self->code = errno == 0 ? "" : "Err#";
	printf("%s(\"%S\")\t\t = %d %s%d\n", probefunc, copyinstr(self->arg0),
	    (int)arg0, self->code, (int)errno);
	self->start = 0; self->code = 0;
}
syscall:::return /self->start/ { self->start = 0; self->vstart = 0; }
dtrace:::END { OPT_counts == 1 ? printf("\n%-16s %16s\n", "CALL", "COUNT") : 1;
	OPT_counts == 1 ? printa("%-16s %@16d\n", @Counts) : 1; }
' -c "sh -c 'echo one; (echo two; cd /nowhere 2>/dev/null || echo failed); cd /'" >out 2>err
sed -n '/write(0x1\|chdir(\|SYSCALL/p' out
grep -q '^write  *[3-9]$' out
