# SPDX-License-Identifier: GPL-2.0-or-later
# A return probe needs a return address on the stack: what nobody calls, and what notes where it was called from, is left out of globs and refused
# by name; the program does what it does.
# @@needs: cmd:gcc
# @@status: 1
# @@stderr: ^dtrace: warning: [0-9]+ of [0-9]+ functions cannot be traced, among
fail() { echo "$*" >&2; exit 1; }
cat >r.c <<'C'
#include <setjmp.h>
#include <stdio.h>
#include <ucontext.h>
static jmp_buf back;
static ucontext_t here;
int main(int argc, char **argv)
{
	volatile int times = 0;

	getcontext(&here);
	if (times++ < 2)
		setcontext(&here);
	if (!setjmp(back))
		longjmp(back, 1);
	printf("%d %s %d\n", argc, argv[argc - 1], times);
	return 0;
}
C
gcc -O1 -o r r.c && gcc -O1 -static -o rs r.c
for program in ./r ./rs; do
	for probes in a.out::return :'*[jx]*:return'; do
		got=$($DTRACE -qn "pid\$target:$probes { @ = count(); }" -c "$program x" 2>err | grep x || true)
		[ "$got" = '2 x 3' ] || fail "$program $probes: $got $(cat err)"
	done
done
for probe in a.out:_start libc.so.6:_setjmp libc.so.6:getcontext; do
	$DTRACE -en "pid\$target:$probe:return { }" -c ./r 2>&1 | sed 's/.*any probes: //'
done
