# SPDX-License-Identifier: GPL-2.0-or-later
# dtrace -h, cc -c, dtrace -G, cc -o: in C and C++, and the notes are those of <sys/sdt.h>. Without
# rights.
# @@status: 1 2
fail() { echo "$*" >&2; exit 1; }
command -v gcc >/dev/null && command -v readelf >/dev/null || { echo "no gcc or readelf"; exit 77; }

cat >shop.d <<'D'
provider shop {
	probe query__start(int, char *, uint64_t);
	probe done();
	probe bytes(int8_t c, uint16_t s, const void *p, long l) : (long l, int8_t c);
};
#pragma D attributes Evolving/Evolving/Common provider shop provider
D
cat >body.h <<'C'
#ifdef SDT
#include <sys/sdt.h>
#define SHOP_QUERY_START(a, b, c) DTRACE_PROBE3(shop, query__start, a, b, c)
#define SHOP_DONE() DTRACE_PROBE(shop, done)
#define SHOP_BYTES(a, b, c, d) DTRACE_PROBE4(shop, bytes, a, b, c, d)
#endif
#include <stdint.h>
#include <stdio.h>
static void work(int n, char *text, uint64_t x, int8_t c, uint16_t s)
{
	SHOP_QUERY_START(n, text, x);
	SHOP_BYTES(c, s, (const void *) text, (long) n);
	SHOP_BYTES((int8_t) -1, (uint16_t) 2, (const void *) 0, 4L);
	SHOP_DONE();
}
int main(int argc, char **argv)
{
	if (argc > 1000)
		SHOP_DONE();
	work(argc, argv[0], 1ull << 40, 'x', 7);
#ifndef SDT
	printf("%d%d%d\n", SHOP_QUERY_START_ENABLED(), SHOP_DONE_ENABLED(), SHOP_BYTES_ENABLED());
#endif
	return 0;
}
C
printf '#include "shop.h"\n#include "body.h"\n' >a.c
cp a.c a.cc
echo '#include "shop.h"' >alone.c
$DTRACE -h -s shop.d
$DTRACE -h -s shop.d -o other.h
cmp shop.h other.h
$DTRACE -h -s shop.d -o - | cmp - shop.h
notes() { readelf -n "$1" | grep -E 'Provider|Name:|Arguments'; }
gcc -Wall -Wextra -Werror -pedantic -std=c11 -c alone.c 2>&1 ||
	fail "the header does not stand alone"
printf '#include "shop.h"\nint main(void) { return getpid() > 0 ? 0 : SHOP_DONE_ENABLED(); }\n' |
	gcc -Wall -Werror -x c -c -o /dev/null - || fail "the header does not include unistd.h"
for compiler in gcc g++ clang; do
	command -v $compiler >/dev/null || continue
	for flags in -O2 '-O0 -fPIC' '-O2 -g -flto'; do
		[ $compiler = gcc ] || [ "$flags" = -O2 ] || continue
		[ $compiler = g++ ] && file=a.cc || file=a.c
		$compiler $flags -Wall -Wextra -Werror -c $file -o a.o ||
			fail "$compiler $flags: not compiled"
		$DTRACE -G -s shop.d a.o || fail "$compiler $flags: not linked"
		$compiler $flags a.o shop.o -o a || fail "$compiler $flags: not built"
		[ "$(./a)" = 000 ] || fail "$compiler $flags: $(./a)"
		[ "$(notes a | grep -c Provider)" = 5 ] || fail "$compiler $flags: $(notes a)"
	done
done
gcc -O2 -c a.c -o a.o
if echo '#include <sys/sdt.h>' | gcc -E - >/dev/null 2>&1; then
	gcc -O2 -DSDT -x c -c body.h -o sdt.o
	notes sdt.o >want
	notes a.o >got
	diff want got >&2
	$DTRACE -G -s shop.d sdt.o -o sdt_probes.o
	gcc sdt.o sdt_probes.o -o sdt && ./sdt
fi
# Only asked for, never fired.
echo 'int main(void) { return SHOP_DONE_ENABLED(); }' | sed '1i#include "shop.h"' >asks.c
gcc -c asks.c
$DTRACE -G -s shop.d asks.o -o asks_probes.o ||
	fail "a test whether a probe is enabled is not found"
gcc asks.o asks_probes.o -o asks && ./asks
# In a shared library, from an archive; no objects at all.
gcc -O2 -fPIC -c a.c -o pic.o
ar rc lib.a pic.o
$DTRACE -G -s shop.d lib.a -o lib.o
gcc -shared pic.o lib.o -o lib.so
$DTRACE -G -s shop.d -o none.o
cmp lib.o none.o
readelf -sW none.o | awk '/semaphore/ { print $3, $4, $5, $6, $8 }'

# What goes wrong.
sed '/done/d' shop.d >less.d
$DTRACE -G -s less.d a.o 2>&1 || echo "status $?"
$DTRACE -G -s shop.d alone.o 2>&1 || echo "status $?"
$DTRACE -G -s shop.d a.c 2>&1 || echo "status $?"
$DTRACE -G -s shop.d no.o 2>&1 || echo "status $?"
cp a.o shop.o
$DTRACE -G -s shop.d a.o ./shop.o 2>&1 || echo "status $?"
ln -s shop.o link.o
$DTRACE -G -s shop.d shop.o -o link.o 2>&1 || echo "status $?"
cmp a.o shop.o
echo 'provider x { probe p(struct t { int a; } s); };' >struct.d
$DTRACE -h -s struct.d 2>&1 || echo "status $?"
echo 'BEGIN { x = 1; }' >clause.d
$DTRACE -h -s clause.d 2>&1 || echo "status $?"
# What is no file is not removed when there is nothing to write.
mknod null c 1 3
$DTRACE -h -s clause.d -o null 2>&1 || echo "status $?"
[ -c null ] || fail "the device was removed"
$DTRACE -G -s clause.d 2>&1 && readelf -h clause.o >/dev/null
cp clause.d clause.probes
$DTRACE -G -s clause.probes 2>&1 && readelf -h d.out >/dev/null && rm d.out
$DTRACE -G -n 'BEGIN { x = 1; }' 2>&1 && readelf -h d.out >/dev/null
$DTRACE -h -n BEGIN 2>&1 || echo "status $?"
$DTRACE -h -G -s shop.d >out 2>&1 || echo "status $?"
