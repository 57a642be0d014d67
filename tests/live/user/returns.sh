# SPDX-License-Identifier: GPL-2.0-or-later
# A uretprobe needs a return address on the stack: functions that are not called, or that save
# their return address, are left out of globs and refused by name; the program does what it does.
# @@needs: cmd:gcc
# @@status: 1
# @@stderr: ^dtrace: warning: pid[0-9]*:rs:.*:return replaces the return address
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
		for how in auto uretprobe; do
			got=$($DTRACE -x pidret=$how -qn "pid\$target:$probes { @ = count(); }" \
				-c "$program x" 2>err | grep x || true)
			[ "$got" = '2 x 3' ] || fail "$how $program $probes: $got $(cat err)"
		done
	done
done
for probe in a.out:_start libc.so.6:_setjmp libc.so.6:getcontext; do
	$DTRACE -x pidret=uretprobe -en "pid\$target:$probe:return { }" -c ./r 2>&1 |
		sed 's/.*any probes: //'
done
