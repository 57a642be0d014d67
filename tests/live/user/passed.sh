# SPDX-License-Identifier: GPL-2.0-or-later
# Where a function's arguments follow all sorts of others, and the place of its result: the last
# one of each is 42, for the compiler as for dtrace, or dtrace says that it does not know.
# @@needs: cmd:gcc
# @@status: 1
# @@stderr: ^dtrace: invalid probe specifier
[ "$(uname -m)" = x86_64 ] || { echo "it has x86-64's numbers of 128 bits"; exit 77; }
cat >c.c <<'C'
#include <complex.h>
#define NOIPA __attribute__((noipa))
struct bits { int x; int a : 24, b : 8; long c : 40, d : 24; };
struct packed { char c; int i; } __attribute__((packed));
typedef float floats __attribute__((vector_size(16)));
typedef long longs __attribute__((vector_size(16)));
struct vector { longs v; };
struct wide { __int128 i; };
struct quad { __float128 f; };
struct x87 { long double f; };
union mixed { long double f; int i; };
static struct bits bits; static struct packed packed; static floats floats1;
static struct vector vector; static struct wide wide; static struct quad quad;
static struct x87 x87; static union mixed mixed;
NOIPA void f1(struct bits s, int n) {}
NOIPA void f2(struct packed s, int n) {}
NOIPA void f3(floats v, int n) {}
NOIPA void f4(struct vector v, int n) {}
NOIPA void f5(__float128 f, int a, int b, int c, int d, int e, int g, int n) {}
NOIPA void f6(struct quad f, struct x87 g, struct wide i, int n) {}
NOIPA struct bits f7(int n) { return bits; }
NOIPA struct packed f8(int n) { return packed; }
NOIPA struct x87 f9(int n) { return x87; }
NOIPA union mixed f10(int n) { return mixed; }
NOIPA struct wide f11(int n) { return wide; }
NOIPA struct quad f12(int n) { return quad; }
NOIPA struct vector f13(int n) { return vector; }
NOIPA complex long double f14(int n) { return n; }
NOIPA void f15(complex float f, int n) {}
int main(void)
{
	f1(bits, 42), f2(packed, 42), f3(floats1, 42), f4(vector, 42);
	f5(1, 1, 2, 3, 4, 5, 6, 42), f6(quad, x87, wide, 42), f7(42), f8(42), f9(42);
	f10(42), f11(42), f12(42), f13(42), f14(42), f15(1, 42);
}
C
cat >clones.c <<'C'
struct s { int a, b; long c[10]; };
int said;
#define LOCAL static __attribute__((noinline))
LOCAL int f1(int unused, struct s *p, int n) { said += n; return p->a * 0 + n; }
LOCAL int f2(int always, int n) { said += n * always; return n; }
LOCAL int f3(struct s v, int n) { said += n; return n + v.c[3]; }
int main(int argc, char **argv)
{
	struct s v = {argc, 2};
	int n = 41 + argc;
	return f1(argc, &v, n) + f2(7, n) + f2(7, n) + f3(v, n) == 0;
}
C
. "$FIXTURE/passed"
try f15 gcc -g c.c
f1='f1.constprop.0 f1.constprop.0.isra.0' f2='f2.constprop.0 f2.constprop.0.isra.0'
try "$f1 $f2 f3.isra.0 f3.constprop.0 f3.constprop.0.isra.0" \
	gcc -g -O2 clones.c
if command -v clang >/dev/null; then
	try 'f1 f2' clang -g -O2 clones.c
else
	echo 'clang, 1:'
fi
cat >enums.c <<'C'
enum __attribute__((packed)) small { NEG = -1, FIVE = 5 };
enum unsigned_ { TOP = 0x80000000u };
__attribute__((noipa)) void f(enum small s, enum unsigned_ t) {}
int main(void) { f(NEG, TOP); }
C
gcc -g -o prog enums.c
$DTRACE -qn 'pid$target:a.out:f:entry { printf("%d %d %d\n", args[0], args[1], pid`TOP);
	print(args[1]); }' -c ./prog
