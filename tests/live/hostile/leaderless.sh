# SPDX-License-Identifier: GPL-2.0-or-later
# A process whose first thread has ended cannot hide by that: its stacks have names, its functions
# have probes, and these do not fire in other processes of the program.
# @@needs: cmd:gcc cmd:setpriv
. "$FIXTURE/background"
cat >leaderless.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_t first;
__attribute__((noinline)) int work(int i) { return getppid() + i; }
static void *run(void *arg)
{
	pthread_join(first, NULL);
	puts("ready");
	fflush(stdout);
	for (int i = 0; i < 100000; i++) {
		work(i);
		usleep(1000);
	}
	return NULL;
}
int main(void)
{
	pthread_t thread;

	first = pthread_self();
	pthread_create(&thread, NULL, run, NULL);
	pthread_exit(NULL);
}
C
gcc -fno-omit-frame-pointer -o leaderless leaderless.c -lpthread
chmod 755 .
trace() { # USER
	mkdir "of$1"
	cp leaderless "of$1"
	chown -R "$1" "of$1"
	begin setpriv --reuid="$1" --clear-groups "of$1/leaderless"
	begin setpriv --reuid="$1" --clear-groups "of$1/leaderless"
	pid=$!
	echo "== -p of user $1"
	$DTRACE -qn 'pid$target:a.out:work:entry, pid$target:a.out:work:return
		{ @[probefunc, probename, pid == $target] = count(); }
		pid$target:a.out:work:entry /n++ == 10/ { ustack(2); exit(0); }' -p $pid >out
	sed 's/  *[0-9]*$//; s/+0x.*/+N/' out
	echo '== by number'
	$DTRACE -qn 'pid$1:libc.so:getppid:entry { @[probefunc, pid == $1] = count(); }
		pid$1:libc.so:getppid:entry /n++ == 10/ { exit(0); }' $pid >out
	sed 's/  *[0-9]*$//' out
	echo '== a stack'
	$DTRACE -qn 'syscall::getppid:entry /pid == $1/ { @[ustack(3)] = count(); n++; }
		syscall::getppid:entry /n == 500/ { trunc(@, 1); exit(0); }' $pid >out
	sed 's/+0x.*/+N/; s/^  *[0-9]*$//' out
	end_all
	pids=
}
trace 0
trace 65534
