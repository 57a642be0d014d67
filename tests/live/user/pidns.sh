# In a pid namespace of its own, as in a container, dtrace knows processes by other numbers than
# the kernel does: $target and other macros are the kernel's, of commands and of processes that are
# older; addresses of theirs have names; $target in descriptions is what /proc has.
# @@needs: cmd:gcc cmd:unshare
# @@status: 1
cat >p.c <<'C'
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) int work(int n) { __asm__ volatile(""); return getppid() + n; }
__attribute__((noinline)) int middle(int n) { return work(n) + 1; }
int main(int argc, char **argv)
{
	char c;

	if (argc > 1 && read(0, &c, 1) < 0)
		return 1;
	return middle(1) < 0;
}
C
gcc -O1 -fno-omit-frame-pointer -o prog p.c
gcc -O1 -fomit-frame-pointer -o bare p.c
cat >script.d <<'D'
pid$target:prog:work:entry
{
	printf("%d %d %d %d\n", pid == $target, pid != nspid, progenyof($target),
	    $target == curpsinfo->pr_pid);
	usym(ucaller);
	printf("\n");
	@[ustack(1)] = count();
}
syscall::getppid:entry
/pid == $target/
{
	@calls = count();
}
END
{
	printf("%d\n", pid == $pid);
	printa("%k%@d\n", @);
	printa("%@d\n", @calls);
}
D
cat >inside <<'S'
$DTRACE -qs script.d -c ./prog
mkfifo in
./prog wait <in & target=$!
exec 3>in
$DTRACE -qs script.d -n 'BEGIN { printf("begun\n"); }' -o told -p $target & dtrace=$!
until grep -qs begun told; do sleep 0.1; done
echo >&3
wait $dtrace $target
cat told
if [ "$(uname -m)" != riscv64 ]; then # by tables, which are the process's
	$DTRACE -qn 'pid$target:bare:work:entry {
		@[ustack()] = count(); }' -c ./bare | grep -o 'bare`main'
else
	echo 'bare`main'
fi
$DTRACE -x follow -qs script.d -c ./prog 2>&1 || echo "status $?"
S
unshare -p -f --mount-proc sh -eu inside | grep -v '^$' | sed 's/^  *//; s/  *$//'
