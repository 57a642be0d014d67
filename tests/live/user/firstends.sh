# SPDX-License-Identifier: GPL-2.0-or-later
# The first thread of a process ends; another one calls 7 seconds later, and the process ends before
# dtrace can look at it: its stack has names.
# @@needs: cmd:gcc
cat >late.c <<'C'
#include <pthread.h>
#include <unistd.h>
__attribute__((noinline)) int work(int i) { return getppid() + i; }
static void *run(void *arg)
{
	sleep(7);
	work(1);
	_exit(0);
	return arg;
}
int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, run, NULL);
	pthread_exit(NULL);
}
C
gcc -fno-omit-frame-pointer -fno-optimize-sibling-calls -o late late.c -lpthread
$DTRACE -qn 'syscall::getppid:entry /execname == "late"/ { @[ustack(2)] = count(); ustack(2); }
	syscall::exit_group:entry /execname == "late"/ { exit(0); }' -c 'sh -c "./late; :"' >out
sed 's/+0x.*/+N/; s/^ *//; s/^libc[^`]*/libc/' out | grep .
