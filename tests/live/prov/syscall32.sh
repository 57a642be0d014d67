# System calls of 32-bit programs: the machine's own probes where it has the call, others in a
# module of their own.
# @@stderr: ^dtrace: warning: syscall::stat does not match newfstatat
[ "$(uname -m)" = x86_64 ] || { echo "those of x86-64 are decoded"; exit 77; }
command -v calls32 >/dev/null || { echo "32-bit programs cannot be made here"; exit 77; }
calls32 2>/dev/null || { echo "this kernel does not run 32-bit programs"; exit 77; }
t() { $DTRACE -q "$@"; }

echo "--- all that it makes, in order; by the kernel's own code at the end"
t -n 'syscall:::entry /pid == $target/ { printf("%s:%s\n", probemod, probefunc); }' -c calls32
printf -- '--- arguments by number: 32 bits with zeroes above, '
echo 'what is a long with its sign, two words as one'
t -n 'syscall:::entry /pid == $target/ {
	printf("%s %x %x %x %x %x %x\n", probefunc, arg0, arg1, arg2, arg3, arg4, arg5); }' \
	-c calls32 |
	sed 's/\(getppid.* \)[0-9a-f]*$/\1EBP/; s/\(fchownat [0-9a-f]* \)[0-9a-f]*/\1ADDRESS/
		s/\(open\|stat64\|truncate64\|socketcall\) \(1 \)*[0-9a-f]* /\1 \2ADDRESS /'
echo "--- the same, a clause for each"
t -n 'syscall::lseek:entry /pid == $target/ {
	printf("lseek %d %d %d, %d\n", args[0], args->offset, args[2], arg1); }
	syscall::pread64:entry /pid == $target/ {
		printf("pread64 %d %x\n", args->count, args->pos); }
	syscall::fallocate:entry /pid == $target/ {
		printf("fallocate %x %x\n", args->offset, args->len); }
	syscall::clone:entry /pid == $target/ {
		printf("clone %d %x %x\n", arg0, (uint64_t)args->child_tidptr, args->tls); }
	syscall::sync_file_range:entry /pid == $target/ {
		printf("sync_file_range %x %x %d\n", args[1], args[2], args[3]); }
	syscall::truncate64:entry /pid == $target/ {
		printf("truncate64 %s %x\n", stringof(args->filename), args->length); }
	syscall::waitpid:entry /pid == $target/ { printf("waitpid %d, %d\n", args->pid, arg0); }
	syscall::socketcall:entry /pid == $target/ {
		printf("socketcall %d %d\n", args->call, *args[1]); }
	syscall::mmap2:entry /pid == $target/ {
		printf("mmap2 %d %d %d\n", args->len, (int)args->fd, args->pgoff); }' -c calls32
echo "--- many clauses, for which they are fetched once"
for i in $(seq 9); do
	echo "syscall::lseek:entry /pid == \$target && $i/ { @[$i, arg0, arg1, arg2] = count(); }"
done >many.d
t -s many.d -c calls32 | awk 'NF { n++; $1 = ""; print }' | sort | uniq -c | sed 's/  */ /g'
echo "--- returns, errors, strings"
t -n 'syscall::open:entry, syscall::stat64:entry /pid == $target/ { self->path = arg0;
	self->f = probefunc; }
	syscall:::return /pid == $target && errno/ {
		printf("%s %d %d errno %d %s\n", probefunc, arg0, args[1], errno,
		    self->path ? copyinstr(self->path) : ""); self->path = 0; }
	syscall::mmap2:return /pid == $target/ {
		printf("mmap2 %d %d\n", arg1 > 4096 && arg1 < 0xffffffff, errno); }
	syscall::getppid:return /pid == $target/ { printf("getppid %d\n", arg1 == ppid); }
	syscall::clone:return /progenyof($target)/ {
		@[arg1 == 0 ? "child" : "parent", pid == $target] = count(); }
	syscall::exit:entry /progenyof($target) && pid != $target/ { printf("exit %d\n", arg0); }
	END { printa("clone returns to the %s %d %@d\n", @); }' -c calls32
t -x syscallret=raw -n 'syscall::waitpid:return /pid == $target && errno/ {
	printf("%d %d\n", arg0, errno); }' -c calls32
echo "--- execve from one to the other"
t -n 'syscall::execve:return /pid == $target/ {
	printf("%s %d %d %d\n", execname, arg0, errno, curpsinfo->pr_dmodel == PR_MODEL_ILP32); }' \
	-c 'sh -c "exec calls32"'
echo "--- who it is, and where"
t -n 'syscall::getppid:entry /pid == $target/ {
	printf("%d %d\n", curpsinfo->pr_dmodel == PR_MODEL_ILP32, curpsinfo->pr_argc);
		printf("%x %x %d\n", uregs[R_RBX], uregs[R_RCX], uregs[R_SP] < 0xffffffff);
		ustack(3); exit(0); }' -c calls32 | sed 's/+0x.*/+/'
t -n 'syscall::getppid:entry /pid == $target/ { @ = count(); }
	END { printa("64 bits: %@d\n", @); }' -c 'calls -n 4'
echo "--- a program that makes both kinds: the same numbers are other calls"
t -n 'syscall::get*pid:entry, syscall::get*pid:return, syscall::semget:entry,
	syscall::iopl:return, syscall::mkdir:entry
	/pid == $target && ppid == $pid/ { @[probefunc, probename] = count(); }
	syscall::getppid:entry /pid == $target && arg0 == 7/ {
		@["getppid with an argument", ""] = count(); }
	END { printa("%s %s %@d\n", @); }' -c int80
t -n 'syscall::getppid:entry /pid == $target/ { @ = count(); }
	END { printa("getppid %@d\n", @); }' -c int80
t -n 'syscall::iopl:entry /pid == $target/ { @ = count(); }
	END { printa("iopl %@d\n", @); }' -c int80
t -n 'syscall::semget:return /pid == $target/ { @ = count(); }
	END { printa("semget %@d\n", @); }' -c int80
echo "--- both at once"
t -n 'syscall::getppid:entry /progenyof($target) && execname != "sh"/ {
	@[execname, curpsinfo->pr_dmodel == PR_MODEL_ILP32] = count(); }
	END { printa("%s %d %@d\n", @); }' -c 'sh -c "calls32; calls -n 5; int80"'
echo "--- by the names of other systems"
t -x compat -n 'syscall::lchown:, syscall::stat:, syscall::lseek:entry,
	syscall::mmap:entry /pid == $target/ { printf("%s:%s %d %x %x\n", probefunc, probename,
	probename == "entry" ? 0 : errno, arg1, arg5); }' -c calls32
t -n 'syscall::stat64:entry /pid == $target/ { @[probemod, copyinstr(arg0)] = count(); }
	END { printa("%s %s %@d\n", @); }' -c calls32 2>err
cat err
echo "--- names"
$DTRACE -ln 'syscall::stat64:, syscall::mmap2:entry, syscall::read:entry,
	syscall:syscall32:*sigaction:entry' |
	sed 's/^ *[0-9]* *//'
$DTRACE -lvn 'syscall::fadvise64_64:entry' | grep 'args\['
