# SPDX-License-Identifier: GPL-2.0-or-later
# -x oformat=perfetto: slices balance per thread, of known calls; instants, counters, messages,
# names; in a file that is cut, renamed or continued, and of a recording.
# @@needs: cmd:python3 cmd:gcc
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: pid [0-9]+ has exited
# @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+
# @@drops: failed speculation
fail() { echo "$*"; exit 1; }
# printa() prints what was counted when dtrace reads its record: of those samples the last.
look() {
	"$FIXTURE/timeline" "$@" >seen || fail "$(cat seen) $*"
	sed 's/^\(counter @queries count:\) 1 2$/\1 2/' seen
}

cat >shop.d <<'D'
provider shop { probe query__start(int); probe query__done(int); probe order__start(int); };
D
cat >work.c <<'C'
#include <pthread.h>
#include <setjmp.h>
#include <unistd.h>
#include "shop.h"
static jmp_buf back;
__attribute__((noinline)) int leaf(int n) { getppid(); __asm__ volatile(""); return n; }
__attribute__((noinline)) int twice(int n) { int sum = leaf(n); return sum + leaf(n + 1); }
__attribute__((noinline)) int deep(int n) { int sum = n ? deep(n - 1) : 0; return sum + 1; }
__attribute__((noinline)) void jump(int n) { leaf(0); if (n < 100) longjmp(back, 1); }
__attribute__((noinline)) int jumped(void) { if (!setjmp(back)) jump(2); return leaf(1); }
__attribute__((noinline)) void query(int n)
{
	SHOP_QUERY_START(n);
	leaf(n);
	SHOP_ORDER_START(n);
	SHOP_QUERY_DONE(n);
}
static void *run(void *arg)
{
	for (int i = 0; i < 100; i++)
		twice(i);
	return arg;
}
int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	deep(3);
	jumped();
	query(1);
	query(2);
	_exit(0);
}
C
$DTRACE -h -s shop.d
gcc -O1 -fno-optimize-sibling-calls -fno-inline -pthread -c work.c
$DTRACE -G -s shop.d work.o
gcc -pthread work.o shop.o -o work

# main has no return, order-start no done, and of query only the returns are recorded.
cat >work.d <<'D'
#pragma D option quiet
pid$target:work:main:entry, pid$target:work:leaf:entry, pid$target:work:leaf:return,
    pid$target:work:twice:entry,
pid$target:work:twice:return, pid$target:work:deep:entry, pid$target:work:jump:entry,
pid$target:work:jump:return, pid$target:work:jumped:entry, pid$target:work:jumped:return { }
pid$target:work:leaf:entry { @calls[probefunc] = count(); }
pid$target:work:deep:return { trace(arg1); }
pid$target:work:query:entry { self->in = 1; }
pid$target:work:query:entry /arg0 > 100/ { }
pid$target:work:query:return { printf("query\tdone\n"); }
syscall::getppid:entry, syscall::getppid:return /pid == $target && self->in/ { }
shop$target:::query-start, shop$target:::order-start { printf("%s %d\n", probename, arg0); }
shop$target:::query-done { }
shop$target:::query-done { @queries = count(); @sizes = quantize(arg0); printa(@queries); }
shop$target:::query-done { printf("in the same \"firing\"\\\377"); x = 0; trace(1 / x); }
END { printa("calls %s %@d", @calls); }
D
echo "-- live"
$DTRACE -x oformat=perfetto -o out -s work.d -c ./work
look out | tee live
grep -o '"return":\[{"action":"trace","values":\[{"name":"arg1","value":[1-4]}\]}\]' out |
	sort | uniq -c | sed 's/^ *//'
grep '"order-start 2"' out | sed 's/.*"args"/"args"/; s/"cpu":[0-9]*/"cpu":N/'
[ "$(grep -c '"ts":[0-9]*\.[0-9]*' out)" -ge "$(($(grep -c '"ts"' out) / 2))" ] ||
	fail "no fractions"

echo "-- recorded"
$DTRACE -x oformat=perfetto -x record=rec -s work.d -c ./work
$DTRACE -x replay=rec -x oformat=perfetto -o replayed 2>/dev/null
look replayed | diff live - || fail "a replay differs"
# Others have no processes, and an aggregation alone has no record.
$DTRACE -x record=other -x flowthread \
	-qn 'syscall::getppid:entry, syscall::getppid:return /pid == $target/ { }
	syscall::getppid:entry /pid == $target/ { @ = count(); }' -c 'calls -n 2'
$DTRACE -x replay=other -x oformat=perfetto -o cpus
look cpus

echo "-- cut, continued, renamed"
$DTRACE -x oformat=perfetto -o file -n 'BEGIN { printf("first"); }' 2>err &
until grep -qs first file; do sleep 0.1; done
cp file cut
look -c cut
mv file renamed
kill -USR1 $!
until grep -qs first renamed && [ -e file ]; do sleep 0.1; done
kill -TERM $!
wait $! || fail "status $?"
look file
look renamed
$DTRACE -x oformat=perfetto -o file -qn 'BEGIN { printf("later"); exit(0); }'
look file

# What is committed is a part of the firing that it is of. The program's name is another user's.
echo "-- speculations, names"
cp "$(command -v calls)" "$(printf 'a"\\\n\001\303\251\377')"
$DTRACE -x oformat=perfetto -o spec -qn 'syscall::getppid:entry /pid == $target/ {
	self->s = speculation(); speculate(self->s); printf("why"); }
	syscall::getppid:entry, syscall::getppid:return /pid == $target/ { }
	syscall::getppid:return /pid == $target/ { commit(self->s); self->s = 0; }' \
	-c "$(printf "'./a\"\\\\\n\001\303\251\377'") -n 1"
look spec

# A counter is a sample for each printa().
echo "-- a counter over time"
$DTRACE -x oformat=perfetto -o ticks -qn 'tick-100ms { @t["a,\"b", 1] = count(); printa(@t); }
	tick-100ms /++n == 3/ { exit(0); }'
look ticks | grep '^counter' | grep -o ': .*3$' >/dev/null || fail "$(cat ticks)"
grep -c '"ph":"C".*"args":{"a,\\"b,1":[1-3]}' ticks
