# SPDX-License-Identifier: GPL-2.0-or-later
# Each lock of a program that has two threads, in the order of what happens to it: taken, taken
# again, waited for, refused, let go; also in a static one.
# @@needs: cmd:gcc
# @@status: 1
cat >l.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, again;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void *other(void *arg)
{
	pthread_mutex_lock(&plain);
	pthread_mutex_unlock(&plain);
	pthread_rwlock_rdlock(&rw);
	pthread_rwlock_unlock(&rw);
	return arg;
}

int main(void)
{
	pthread_mutexattr_t attr;
	pthread_t t;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&again, &attr);
	pthread_mutex_lock(&again);
	pthread_mutex_lock(&again);
	pthread_mutex_unlock(&again);
	pthread_mutex_unlock(&again);
	pthread_mutex_lock(&plain);
	pthread_rwlock_wrlock(&rw);
	pthread_create(&t, NULL, other, NULL);
	sleep(1);
	pthread_mutex_trylock(&plain);
	pthread_mutex_unlock(&plain);
	sleep(1);
	pthread_rwlock_unlock(&rw);
	pthread_join(t, NULL);
	fprintf(stderr, "plain %lx\nagain %lx\nrw %lx\n", (long)&plain, (long)&again, (long)&rw);
	return 0;
}
C
gcc -O1 -pthread -o dynamic l.c && gcc -O1 -pthread -static -o static l.c
for program in dynamic static; do
	$DTRACE -q -n 'plockstat$target:::mutex-acquire, plockstat$target:::mutex-release,
		plockstat$target:::mutex-block, plockstat$target:::mutex-blocked,
		plockstat$target:::mutex-error { printf("%x %s %d\n", arg0, probename, arg1); }' \
		-n 'plockstat$target:::rw-acquire, plockstat$target:::rw-release,
		plockstat$target:::rw-block, plockstat$target:::rw-blocked,
		plockstat$target:::rw-error {
			printf("%x %s %d %d\n", arg0, probename, arg1, arg2); }' \
		-c ./$program >out 2>err
	for lock in plain again rw; do
		addr=$(sed -n "s/^$lock //p" err)
		sed -n "s/^${addr:-none} /$program $lock /p" out
	done
done
grep -v '^plain\|^again\|^rw' err || true

t() { $DTRACE "$@" 2>&1 | sed 's/.*any probes: //; s/process [0-9][0-9]*/process N/'; }
t -en 'plockstat$target:::mutex-spin { }' -c ./dynamic | grep -o 'the C library.*traced'
t -n 'plockstat:::mutex-block { }'
t -n 'plockstat999999999:::mutex-block { }'
$DTRACE -ln 'plockstat$target:::' -c ./dynamic |
	awk 'NR > 1 { sub("[0-9]+$", "", $2); print $2, $3, $4, $5 }'
$DTRACE -qn 'plockstat$target::pthread_mutex_unlock:mutex-release {
		@[probefunc, probename] = count(); }
	plockstat$target:::mutex-block { @[probefunc, probename] = count(); }' -c ./dynamic 2>err |
	awk 'NF { print $1, $2 }'
