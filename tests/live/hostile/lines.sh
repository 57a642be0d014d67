# SPDX-License-Identifier: GPL-2.0-or-later
# Files of other users for which addr2line never answers: each of them loses its lines after
# foreigntime, and other files have theirs. A signal and exit() end the wait.
# @@needs: cmd:gcc cmd:addr2line
# @@stderr: dtrace: srclines: no more source lines of bad[0-9]\.so.*(longer than foreigntime|too long).*
fail() { echo "$*"; exit 1; }
cat >p.c <<'C'
#include <unistd.h>
int f0(int), f1(int), f2(int), f3(int);
__attribute__((noinline)) int work(void *at)
{
	__asm__ volatile("" : : "r"(at) : "memory");
	return 1;
}
int main(int argc, char **argv)
{
	(void)argv;
	do {
		work(f0), work(f1), work(f2), work(f3), work(main);
		usleep(10000);
	} while (argc > 1);
	return 0;
}
C
for i in 0 1 2 3; do
	echo "int f$i(int n) { return n + $i; }" >b.c
	gcc -g -shared -fPIC -o bad$i.so b.c
	printf 'never answers' >>bad$i.so
done
gcc -g -o p p.c bad[0-3].so -Wl,-rpath,"$PWD"
printf '#!/bin/sh\ngrep -q "never answers" "$2" && exec sleep 1000\nexec addr2line "$@"\n' >slow
chmod 755 . slow p bad*.so
begin() { # FOREIGNTIME ACTION OPTIONS...: in the background
	time=$1 script=$2
	shift 2
	$DTRACE -x srclines -x addr2linepath="$PWD/slow" -x foreigntime="$time" -qn \
		"pid\$target:a.out:work:entry { uaddr(arg0); $script }" "$@" >out 2>err &
	pid=$!
	begun=$(date +%s)
}
end() {
	wait $pid || fail "$1: $? $(cat out err)"
	took=$(($(date +%s) - begun))
	[ $took -lt 30 ] || fail "$1: after $took s"
}
begin 600ms '' -c ./p
end time
grep -q 'p`main p.c:' out || fail "no line of main: $(cat out err)"
[ "$(grep -c 'no more source lines of bad[0-3].so: .*/slow takes longer than foreigntime (600ms)' \
	err)" = 4 ] || fail "messages: $(cat err)"

# One wait of 50 s.
begin 50s 'exit(0);' -c './p on'
end exit
begin 50s '' -c './p on'
until pgrep -P $pid sleep >/dev/null; do sleep 0.05; done
kill -TERM $pid
end signal
