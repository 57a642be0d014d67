# SPDX-License-Identifier: GPL-2.0-or-later
# Commands and processes together; and what becomes of dtrace when a target is killed, executes
# another program or dies while its functions are traced, and of the target when dtrace is
# interrupted.
# @@needs: cmd:gcc
cat >p.c <<'C'
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) int work(int n) { __asm__ volatile(""); return n * 2; }
int main(int argc, char **argv)
{
	char *again[] = {argv[0], "9", NULL}, c;

	if (argc < 3) /* NUMBER: calls once */
		return !work(atoi(argv[1]));
	/* NUMBER FILE [exec|die|loop]: makes the file, waits for a byte, calls */
	if (creat(argv[2], 0600) < 0 || read(0, &c, 1) != 1)
		return 1;
	work(atoi(argv[1]));
	if (argc > 3 && argv[3][0] == 'e')
		execv(argv[0], again);
	if (argc > 3 && argv[3][0] == 'd')
		raise(SIGSEGV);
	while (argc > 3 && argv[3][0] == 'l')
		work(1);
	return 0;
}
C
gcc -O1 -o p p.c
await() { # FILE PID: until it is there
	while [ ! -s "$1" ] && ! { [ -e "$1" ] && [ "${1#up}" != "$1" ]; }; do
		kill -0 "$2"
		sleep 0.1
	done
}
mkfifo gate

echo 'two commands and a process'
./p 3 up1 <gate & a=$!
exec 3>gate
await up1 $a
$DTRACE -qn "BEGIN { printf(\"ready\n\"); }
	pid\$target:a.out:work:entry { @[\"first\", arg0] = count(); }
	pid$a:a.out:work:entry { @[\"other\", arg0] = count(); }
	syscall::exit_group:entry /execname == \"p\" && progenyof($$)/ {
		@ends[\"ends\"] = count(); }
	END { printa(\"%s %d %@d\n\", @); printa(\"%s %@d\n\", @ends); }" \
	-c './p 1' -c './p 2' -p $a >out & d=$!
await out $d
printf x >&3
wait $d
grep . out

ended() { # HOW
	rm -f up out
	./p 5 up "$1" <gate & a=$!
	await up $a
	$DTRACE -qn 'BEGIN { printf("ready\n"); } pid$target:a.out:work:entry { @[arg0] = count(); }
		pid$target:a.out:work:return { @r = count(); }' -p $a >out 2>err & d=$!
	await out $d
	printf x >&3
	[ "$1" != loop ] || { sleep 0.3; kill -9 $a; }
	wait $d && echo "$1: dtrace ends"
	wait $a 2>/dev/null || true
}
ended exec
ended die
ended loop

rm -f up out
./p 7 up loop <gate & a=$!
await up $a
env --default-signal=INT $DTRACE -qn 'BEGIN { printf("ready\n"); } pid$target:a.out:work:entry,
	pid$target:a.out:work:return { @ = count(); }' -p $a >out & d=$!
await out $d
printf x >&3
sleep 0.3
kill -INT $d
wait $d || true
kill -0 $a && echo 'interrupted: the target goes on'
kill $a
wait $a 2>/dev/null || true
