# -x compat: calls by their old names, with arguments in the old places; what a script names itself
# stays itself.
# @@needs: file:/sys/kernel/tracing/events/syscalls
# @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+ 
# @@stderr: ^dtrace: warning: syscall::(open|stat) does not match
[ "$(uname -m)" = x86_64 ] || { echo "the old calls are x86-64's"; exit 77; }
cat >names.d <<'E'
#pragma D option quiet
#pragma D option compat
syscall::open:entry, syscall::*stat:entry, syscall::unlink:entry, syscall::rmdir:entry,
    syscall::mkdir:entry, syscall::access:entry
/pid == $target/
{
	self->path = arg0;
	self->flags = arg1;
}
syscall::fstat:entry /pid == $target && arg0 == 1/ { printf("fstat of 1\n"); self->path = 0; }
syscall::open:return, syscall::*stat:return, syscall::unlink:return,
    syscall::rmdir:return, syscall::mkdir:return,
syscall::access:return
/self->path > 4096 && strstr("/old /new /newest /etc/passwd /etc/group /statx /file /folder /etc",
    copyinstr(self->path)) != NULL/
{
	printf("%s(%s", probefunc, copyinstr(self->path));
	printf(probefunc == "open" ? ", 0x%x" : "", self->flags);
	printf(") = %d errno %d\n", arg0, errno);
}
syscall::open:return, syscall::*stat:return, syscall::unlink:return, syscall::rmdir:return,
    syscall::mkdir:return { self->path = 0; }
syscall::rename:entry /pid == $target/ {
	printf("rename %s %s\n", copyinstr(arg0), stringof(args[1])); }
syscall::getrlimit:entry /pid == $target && arg0 == 7/ { @["getrlimit"] = count(); }
syscall::pipe:entry, syscall::poll:entry /pid == $target/ {
	printf("%s %d\n", probefunc, probefunc == "poll" ? (int)arg2 : 0); }
syscall::nanosleep:entry /pid == $target/ {
	printf("nanosleep %d\n", ((struct timespec *)copyin(arg0, 16))->tv_nsec); }
syscall::*fork*:entry, syscall::*fork*:return /progenyof($target)/
{
	@forks[probefunc, probename,
	    probename == "entry" ? "" : arg0 ? "parent" : "child"] = count();
}
E
sed -i 's/^	printf(probefunc == "open".*$/	FLAGS/
	s/FLAGS/probefunc == "open" ? printf(", 0x%x", self->flags) : 1;/' names.d
$DTRACE -s names.d -c oldnew >out
grep -v -e ' child ' -e ' parent ' -e fork out | grep .
echo "forks:"
grep fork out | sed 's/  */ /g'
echo "by itself:"
$DTRACE -x compat -qn 'syscall::open:entry /pid == $target/ {
	@["open", copyinstr(arg0)] = count(); }
	syscall::openat:entry /pid == $target/ { @["openat", copyinstr(arg1)] = count(); }
	END { printa("%s %s %@d\n", @); }' -c oldnew | grep -e '/new ' -e '/newest '
echo "without:"
$DTRACE -x compat=off -qn 'syscall::open:entry /pid == $target/ { trace(copyinstr(arg0)); }' \
	-c oldnew 2>err
echo
for calls in 'stat*' '*stat*' 'open*'; do
	$DTRACE -x compat=off -en "syscall::$calls:entry { }" 2>&1
done
cat err
# Reported with the first of them only, and not of addresses that are anything else.
$DTRACE -qn 'syscall::open*:entry /pid == $target/ { trace(copyinstr(arg0)); }' \
	-c 'cat new newest' >out 2>err
grep -c 'invalid address (0xffffff9c)' err | tr '[2-9]' n
grep AT_FDCWD err | sed 's/.*;//'
$DTRACE -qn 'syscall::openat:entry /pid == $target/ { trace(copyinstr(1)); }' \
	-c 'cat new' >out 2>err
grep -c AT_FDCWD err || :
DTRACE_OPT_compat=1 $DTRACE -ln 'syscall::open:entry' 2>err | grep -c open
cat err
$DTRACE -ln 'syscall::open:entry' 2>err | grep -c open
$DTRACE -qn 'syscall::open:entry, syscall::openat:entry /0/ { }' -c true 2>err
cat err
$DTRACE -qn 'syscall::open:, syscall::openat: /0/ { }' \
	-c true 2>err # both names, no glob: nothing is missed
cat err
