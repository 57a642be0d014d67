# SPDX-License-Identifier: GPL-2.0-or-later
# -W: a user's process of that name that has a tracer already does not end dtrace, which waits for
# the next one.
# @@needs: cmd:gcc cmd:setpriv
# @@stderr: ^dtrace: waiting for a process called dt-waited-for$
# @@stderr: ^dtrace: failed to stop pid [0-9]* until it is traced \(ptrace: (Operation not permitted|No such process)\); waiting for another process called dt-waited-for$
# @@stderr: ^dtrace: description '(syscall::getppid:entry|END) ' matched 1 probe$
# @@stderr: ^dtrace: pid [0-9]* has exited$
cp "$(command -v calls)" dt-waited-for
cat >traced.c <<'C'
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execl("./dt-waited-for", "dt-waited-for", "-n", "3", NULL);
		_exit(1);
	}
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status))
		ptrace(PTRACE_CONT, pid, 0, 0);
	return !WIFEXITED(status) || WEXITSTATUS(status);
}
C
gcc -o traced traced.c
chmod 755 . dt-waited-for traced
$DTRACE -W dt-waited-for -n 'syscall::getppid:entry /pid == $target/ { @ = count(); }' \
	-n 'END { printa("%@d calls\n", @); }' >out 2>err &
dtrace=$!
until grep -q 'waiting for a process' err; do sleep 0.05; done
setpriv --reuid 65534 --clear-groups ./traced 2>told
until grep -q 'waiting for another' err; do
	kill -0 $dtrace
	sleep 0.05
done
./dt-waited-for -n 5 2>told
wait $dtrace
cat err >&2
grep -q ' 5 calls$' out || { cat out; exit 1; }
