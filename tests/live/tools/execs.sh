# tools/execs.d: programs that a shell starts, with their arguments.
$DTRACE -s "$SRC/tools/execs.d" -c "sh -c '/bin/true one two three; /bin/echo x'" >out 2>err
date="$(date +%Y) [A-Z][a-z][a-z] [ 0-9][0-9] [0-9:]*" n='[0-9][0-9]*'
grep -q "^$date  *$n  *$n /bin/true one two three\$" out
grep -q ' /bin/echo x$' out
# A child whose memory of the path is not its own yet.
cat >fork.c <<'E'
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	if (!fork())
		execl("/bin/true", "true", "of-a-child", (char *)0);
	wait(0);
	return 0;
}
E
cc -o fork fork.c
$DTRACE -s "$SRC/tools/execs.d" -c ./fork >out
grep -q "^$date  *$n  *$n true of-a-child\$" out
