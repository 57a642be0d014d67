# SPDX-License-Identifier: GPL-2.0-or-later
# A process whose first thread has ended, as in hostile/leaderless, with what makes it harder: 100
# threads that have ended before the one that runs, and that a tracer of the user's keeps; a
# library that it loads later; code compiled at run time. And one whose first thread ends while it
# is traced.
# @@needs: cmd:gcc cmd:setpriv
. "$FIXTURE/background"
cat >lib.c <<'C'
#include <unistd.h>
int library_work(int i) { return getppid() + i; }
C
cat >leaderless.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>
enum { ENDED = 100 };
static pthread_t first;
static pid_t tids[ENDED];
static volatile int kept;
static void *end(void *arg)
{
	tids[(long)arg] = syscall(SYS_gettid);
	while (!kept)
		usleep(1000);
	return NULL;
}
/* Threads that have ended stay in the list until their tracer waits for them. */
static void keep_ended(void)
{
	pthread_t threads[ENDED];
	pid_t self = getpid();
	int answer[2];
	char c;

	for (long i = 0; i < ENDED; i++)
		pthread_create(&threads[i], NULL, end, (void *)i);
	for (int i = 0; i < ENDED; i++)
		while (!*(volatile pid_t *)&tids[i])
			usleep(1000);
	if (pipe(answer))
		exit(1);
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	if (!fork()) {
		for (int i = 0; i < ENDED; i++)
			if (ptrace(PTRACE_SEIZE, tids[i], 0, 0))
				_exit(1);
		if (write(answer[1], "k", 1) != 1)
			_exit(1);
		while (getppid() == self)
			usleep(100000);
		_exit(0);
	}
	close(answer[1]);
	if (read(answer[0], &c, 1) != 1)
		exit(1);
	kept = 1;
	usleep(100000);
}
/* push %rbp; mov %rsp, %rbp; mov $getppid, %eax; syscall; pop %rbp; ret */
static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xb8, 110, 0, 0, 0, 0x0f, 0x05, 0x5d,
				     0xc3};
static void *compile(void)
{
	void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];
	FILE *f;

	memcpy(at, code, sizeof(code));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	f = fopen(path, "w");
	fprintf(f, "%lx %zx compiled\n", (unsigned long)at, sizeof(code));
	fclose(f);
	return at;
}
static int waits;
static void *run(void *arg)
{
	int (*compiled)(void) = compile(), (*late)(int) = NULL;

	if (!waits)
		pthread_join(first, NULL);
	puts("ready");
	fflush(stdout);
	for (int i = 0; i < 100000; i++) {
		compiled();
		if (!late && !access("go", F_OK))
			late = dlsym(dlopen("./liblate.so", RTLD_NOW), "library_work");
		if (late)
			late(i);
		usleep(1000);
	}
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t thread;

	waits = argc > 1;
	first = pthread_self();
	if (!waits)
		keep_ended();
	pthread_create(&thread, NULL, run, NULL);
	while (waits && access("end", F_OK))
		usleep(10000);
	pthread_exit(NULL);
}
C
[ "$(uname -m)" = x86_64 ] || { echo 'the compiled code is for x86-64'; exit 77; }
gcc -shared -fPIC -o liblate.so lib.c
gcc -fno-omit-frame-pointer -o leaderless leaderless.c -lpthread -ldl
chmod 755 . leaderless liblate.so
chown 65534 leaderless liblate.so
trap 'end_all; rm -f /tmp/perf-$pid.map /tmp/perf-$late.map' EXIT
as() { begin setpriv --reuid=65534 --clear-groups ./leaderless "$@"; }
as
pid=$!
as waits
late=$!
[ "$(ls /proc/$pid/task | wc -l)" -gt 100 ] || { echo 'ended threads are not kept'; exit 1; }
echo '== compiled code'
$DTRACE -qn 'syscall::getppid:entry /pid == $1/ { @[ustack(2)] = count(); n++; }
	syscall::getppid:entry /n == 300/ { trunc(@, 1); exit(0); }' $pid >out
sed 's/+0x.*/+N/; s/^  *[0-9]*$//' out
echo '== a library that is loaded later'
$DTRACE -x aggsortkey -Zqn 'pid$1:liblate.so:library_work:entry, pid$2:liblate.so:library_work:entry
	{ @[pid == $1] = count(); n[pid == $1]++; } tick-100ms /n[1] > 9 && n[0] > 9/ { exit(0); }
	BEGIN { printf("begun\n"); }' $pid $late >out &
dtrace=$!
until grep -q begun out; do sleep 0.05; done
touch end
sleep 0.2
touch go
wait $dtrace
sed 's/  *[0-9]*$//' out
