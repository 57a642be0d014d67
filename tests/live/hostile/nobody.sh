# SPDX-License-Identifier: GPL-2.0-or-later
# User 65534 can neither signal the processes that read a closed program of another user, nor take
# their descriptors, which have copies of it.
# @@needs: cmd:gcc cmd:addr2line cmd:setpriv
# @@status: signal
# @@stderr: ^dtrace: srclines: .*
fail() { echo "$*"; exit 1; }
cat >p.c <<'C'
#include <unistd.h>
__attribute__((noinline)) int work(void) { return getppid(); }
int main(void)
{
	for (int i = 0; i < 30000; i++) {
		work();
		usleep(10000);
	}
	return 0;
}
C
gcc -g -o closed p.c
chown 65533 closed
chmod 700 closed
chmod 755 .
$DTRACE -q -x srclines -c ./closed -n 'pid$target:a.out:work:entry { uaddr(uregs[R_PC]); }' \
	>out 2>err &
pid=$!
for i in $(seq $((LIMIT * 20))); do
	! grep -q 'p\.c:' out || break
	sleep 0.05
done
grep -q 'p\.c:' out || fail "no lines: $(cat out err)"
children=$(cat /proc/$pid/task/*/children)
seen=
for p in $children; do
	! grep -q '^Uid:.0' "/proc/$p/status" || continue
	seen="$seen $(cat "/proc/$p/comm")"
	setpriv --reuid=65534 --regid=65534 --clear-groups sh -c '
		! kill -STOP $1 2>/dev/null || echo "$2 is stopped"
		! ls "/proc/$1/fd/" >/dev/null 2>&1 || echo "descriptors of $2 are listed"
		for fd in 0 1 2 3 4 5 6 7 8; do
			! head -c 1 "/proc/$1/fd/$fd" >/dev/null 2>&1 || echo "$2: $fd is read"
		done' sh "$p" "$(cat "/proc/$p/comm")"
done >may
case $seen in *addr2line*) ;; *) fail "no addr2line among$seen" ;; esac
case $seen in *dtrace*) ;; *) fail "no reader among$seen" ;; esac
kill $pid
for p in $children; do
	kill -CONT $p 2>/dev/null || :
done
wait $pid || :
[ ! -s may ] || fail "$(cat may)"
