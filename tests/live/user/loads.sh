# SPDX-License-Identifier: GPL-2.0-or-later
# Libraries that are mapped after tracing began count without -Z: under evaltime=exec all but the
# program, and what dlopen() loads for descriptions without a file's name or with a pattern. The
# command waits at each load, so that its first instruction is seen: the constructor.
# @@needs: cmd:gcc
# @@status: 1
# @@stderr: no function lib_werk in any object of process
cat >lib.c <<'C'
__attribute__((constructor)) static void begins(void) { __asm__ volatile(""); }
int lib_work(int n) { __asm__ volatile(""); return n + 1; }
C
cat >p.c <<'C'
#include <dlfcn.h>
#include <unistd.h>
int start_work(void);
void begin_here(void) { __asm__ volatile(""); }
__attribute__((noinline)) void wait_work(void) { __asm__ volatile(""); }
int main(void)
{
	int (*f)(int);
	void *l;

	for (int i = 0; i < 3; i++) { /* the first one to be met, the others as it was */
		l = dlopen("./lib.so", RTLD_NOW);
		f = l ? (int (*)(int)) dlsym(l, "lib_work") : 0;
		if (!f || f(41) != 42 || dlclose(l))
			return 1;
	}
	wait_work();
	return start_work() != 7;
}
C
echo 'static int n; __attribute__((constructor)) static void starts(void) { n = 7; }
	int start_work(void) { return n; }' >start.c
gcc -O1 -shared -fPIC -o lib.so lib.c
gcc -O1 -shared -fPIC -o libstart.so start.c
gcc -o p p.c -L. -lstart -Wl,-rpath,"$PWD" -ldl
# What is misspelt is none of these.
$DTRACE -qn 'pid$target::lib_werk:entry {}' -c ./p || echo $?
echo 'dlopen()'
$DTRACE -qn 'pid$target::*_work:entry, pid$target::*_work:return,
	pid$target::begin*:entry { printf("%s:%s %s\n", probemod, probefunc, probename); }' -c ./p
$DTRACE -qn 'pid$target:[lp]*:*work:entry { @[probemod, probefunc] = count(); }
	END { printa("%s %s %@d\n", @); }' -c ./p
echo 'exec'
$DTRACE -x evaltime=exec -qn 'pid$target:lib*:start*:entry, pid$target:libstart.so:start_work:return
	{ printf("%s:%s %s\n", probemod, probefunc, probename); }' -c ./p
