# SPDX-License-Identifier: GPL-2.0-or-later
# Files that come later: a library that the target loads with dlopen, twice, by its path; what a
# target becomes when it executes another program; programs that do not run yet, by their names;
# and a path with blanks and a colon, as a glob.
# @@needs: cmd:gcc
# @@status: 1
cat >lib.c <<'C'
__attribute__((noinline)) int late(int n) { __asm__ volatile(""); return n + 1; }
C
cat >p.c <<'C'
#include <dlfcn.h>
int main(int argc, char **argv)
{
	for (int i = 0; i < 2; i++) {
		void *lib = dlopen(argv[1], RTLD_NOW);
		int (*late)(int) = lib ? (int (*)(int))dlsym(lib, "late") : 0;

		if (!late || argc > 2)
			return 1;
		late(40 + i);
		dlclose(lib);
	}
	return 0;
}
C
mkdir 'odd name:x'
gcc -O1 -shared -fPIC -o late.so lib.c && gcc -o loads p.c && cp late.so 'odd name:x/late two.so'
$DTRACE -qn "pid\$target:$PWD/late.so:late:entry { printf(\"late(%d)\", arg0); }
	pid\$target:$PWD/late.so:late:return { printf(\" = %d\n\", arg1); }" \
	-c "./loads $PWD/late.so"
echo 'int late(int); int main(void) { return !late(50); }' >odd.c
gcc -o odd odd.c 'odd name:x/late two.so'
$DTRACE -qn 'pid$target:late?two.so:late:entry { printf("odd %d\n", arg0); }' -c ./odd
echo 'after exec'
$DTRACE -qn "pid\$target:$PWD/loads:main:entry { printf(\"%s %d\n\", probemod, arg0); }" \
	-c "sh -c 'exec ./loads $PWD/late.so'"
echo 'nobody runs it'
PATH=$PWD:$PATH $DTRACE -qn 'pid*:loads:main:entry /progenyof($target)/ {
	printf("%s %s %d\n", probeprov, probemod, arg0); }' \
	-c "sh -c './loads $PWD/late.so; ./loads $PWD/late.so'"
echo 'a library that all have, by its name'
$DTRACE -qn 'pid*:libc.so*:dlopen:entry /progenyof($target)/ { @[probemod] = count(); }
	END { printa("%s %@d\n", @); }' -c "./loads $PWD/late.so"
says() {
	$DTRACE -en "$1" -c true 2>&1 |
		sed "s/pid[1-9][0-9]*/pidN/; s/process [1-9][0-9]*/process N/
			s/.*probes: //; s:$PWD/::g"
}
says "pid\$target:$PWD/late.so:none:entry {}"
says "pid\$target:$PWD/none.so:late:entry {}"
says 'pid*:no-such-program:main:entry {}'
says 'pid*:a.out:main:entry {}'
