# tools/mallocs.d: two functions of a program with pieces of known sizes, each by its stack.
# @@needs: cmd:gcc
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: pid [0-9]+ has exited
cat >p.c <<'C'
#include <stdlib.h>
__attribute__((noinline)) void *small(int n) { return n ? malloc(24) : 0; }
__attribute__((noinline)) void *large(int n) { return n ? calloc(100, 1000) : 0; }
int main(void)
{
	for (volatile int i = 1; i <= 30; i++) {
		free(small(i));
		if (i <= 10)
			free(large(i));
	}
	return 0;
}
C
rows() {
	awk '
		/^$/ { next }
		/value/ { next }
		!/\|/ { n = (n == "" || done) ? $1 : n " " $1; done = 0; next }
		{ done = 1; if ($NF > 0) print n, $1, $NF }' | sed 's/+0x[0-9a-f]*//g'
}
gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o p p.c
$DTRACE -s "$SRC/tools/mallocs.d" -c ./p 2>err | rows >got
grep -q '^libc.so.6`malloc p`small p`main.* 16 30$' got
grep -q '^libc.so.6`calloc p`large p`main.* 65536 10$' got
[ "$(uname -m)" != riscv64 ] || exit 0
gcc -O1 -fomit-frame-pointer -fno-optimize-sibling-calls -o p p.c
$DTRACE -s "$SRC/tools/mallocs.d" -c ./p 2>err | rows >got
grep -q '^libc.so.6`malloc p`small p`main libc.* p`_start 16 30$' got
grep -q '^libc.so.6`calloc p`large p`main libc.* p`_start 65536 10$' got
