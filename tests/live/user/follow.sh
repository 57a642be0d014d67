# SPDX-License-Identifier: GPL-2.0-or-later
# -x follow: functions of a process in the children that it makes, by fork, in theirs and their
# threads, and by posix_spawn; of two targets, each in its own; static probes, whose semaphores the
# children have; but not in other processes of the same program.
# @@needs: cmd:gcc
cat >p.c <<'C'
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
__attribute__((noinline)) int work(int n) { __asm__ volatile(""); return n * 2; }
static void *thread(void *arg) { work(4); return arg; }
static void child(void)
{
	pid_t pid;
	pthread_t t;

	work(2);
	pid = fork();
	if (!pid)
		_exit(!work(3));
	waitpid(pid, NULL, 0);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
}
int main(int argc, char **argv)
{
	char *args[] = {argv[0], "5", NULL}, c;
	pid_t pid;

	if (argc > 2) { /* NUMBER FILE: makes the file, waits, calls, and calls in a child */
		if (creat(argv[2], 0600) < 0 || read(0, &c, 1) < 0)
			return 1;
		work(atoi(argv[1]));
		pid = fork();
		if (!pid)
			_exit(!work(atoi(argv[1]) + 1));
		return waitpid(pid, NULL, 0) < 0;
	}
	if (argc > 1)
		return !work(atoi(argv[1]));
	work(1);
	pid = fork();
	if (!pid) {
		child();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	if (posix_spawn(&pid, argv[0], NULL, NULL, args, environ))
		return 1;
	waitpid(pid, NULL, 0);
	return 0;
}
C
gcc -O1 -pthread -o p p.c
(while [ ! -e done ]; do ./p 77; done) &
for how in '' '-x follow'; do
	echo "options: $how"
	$DTRACE -q $how -n 'pid$target:a.out:work:entry {
		printf("%d%s\n", arg0, pid == $target ? "" : " in a child"); }
		pid$target:a.out:work:return { printf("returns %d\n", arg1); }' -c ./p
done
echo 'many places with the same clause'
$DTRACE -q -x follow -n 'pid$target:a.out:work:entry,
	pid$target:a.out:work:return { @[probename, arg0 == 77 || arg1 == 154] = count(); }
	END { printa("%s %d %@d\n", @); }' -c ./p
echo >done
wait

echo 'two targets'
mkfifo gate
./p 10 up1 <gate & a=$!
./p 20 up2 <gate & b=$!
exec 3>gate
while [ ! -e up1 ] || [ ! -e up2 ]; do kill -0 $a; kill -0 $b; sleep 0.1; done
$DTRACE -q -x follow -n "BEGIN { printf(\"ready\n\"); }
	pid$a:a.out:work:entry { @[\"a\", arg0] = count(); }
	pid$b:a.out:work:entry { @[\"b\", arg0] = count(); }
	END { printa(\"%s %d %@d\n\", @); }" \
	-p $a -p $b >out & d=$!
while ! grep -q ready out; do kill -0 $d; sleep 0.1; done
printf xx >&3
wait $d || true
grep . out

echo 'static probes'
cat >s.d <<'D'
provider forks { probe go(int); };
D
cat >s.c <<'C'
#include <sys/wait.h>
#include <unistd.h>
#include "s.h"
static void go(int n)
{
	if (FORKS_GO_ENABLED())
		FORKS_GO(n);
}
int main(void)
{
	pid_t pid;

	go(1);
	pid = fork();
	go(pid ? 3 : 2);
	return pid && waitpid(pid, NULL, 0) < 0;
}
C
$DTRACE -h -s s.d
gcc -O1 -c s.c && $DTRACE -G -s s.d -o probes.o s.o && gcc -o s s.o probes.o
$DTRACE -q -x follow -n 'forks$target:::go { @[arg0, pid == $target] = count(); }
	END { printa("%d %d %@d\n", @); }' -c ./s
