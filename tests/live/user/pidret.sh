# SPDX-License-Identifier: GPL-2.0-or-later
# -x pidret=insn: probes on returns are on the instructions that return. An exception passes, arg0 says which one it was, a jump to another function
# returns, stacks have the caller, and files that come later (-Z) are no exception.
# @@needs: cmd:g++
# @@status: 1
# @@stderr: ^dtrace: failed to set -x pidret: Invalid value for specified
cat >p.cc <<'CC'
#include <cstdio>
#include <stdexcept>
#include <unistd.h>
#if defined(__x86_64__)
asm(".text\n.globl many, tail\n.type many, @function\n.type tail, @function\n"
    "many: test %edi, %edi\n je 1f\n mov $1, %eax\n ret\n1: mov $2, %eax\n ret\n.size many, . - many\n"
    "tail: jmp many\n.size tail, . - tail\n");
#else
asm(".text\n.globl many, tail\n.type many, %function\n.type tail, %function\n"
    "many: cbz w0, 1f\n mov w0, 1\n ret\n1: mov w0, 2\n ret\n.size many, . - many\n"
    "tail: b many\n.size tail, . - tail\n");
#endif
extern "C" int many(int), tail(int);
extern "C" __attribute__((noinline)) int risky(int n)
{
	if (n > 2)
		throw std::runtime_error("too much");
	return many(n);
}

int main(int argc, char **)
{
	int sum = 0;

	if (argc > 1)
		sleep(1);
	for (int i = 0; i < 4; i++)
		try {
			sum += risky(i);
		} catch (std::exception &e) {
			fprintf(stderr, "%s\n", e.what());
		}
	fprintf(stderr, "%d\n", sum + tail(0));
	return 0;
}
CC
g++ -O1 -o p p.cc && cp p later
case $(uname -m) in
x86_64) early=9 late=f ;;
*) early=8 late=10 ;;
esac
offsets() { sed "s/ $early / early /; s/ $late / late /"; }
t() { $DTRACE -q -x pidret=insn "$@" 2>err || echo "status $?: $(cat err)"; }

echo exception; t -n 'pid$target:a.out::return { n++; } END { printf("%d\n", n > 6); }' -c ./p; cat err
$DTRACE -n 'pid$target:a.out:risky:return { }' -c ./p 2>&1 | sed -n 's/^dtrace: pid [0-9]* //p'
echo offset; t -n 'pid$target:a.out:many:return { printf("%s %x %d\n", probefunc, arg0, arg1); }' -c ./p | offsets
echo tail; t -n 'pid$target:a.out:tail:return { printf("%s %x\n", probefunc, arg0); }' -c ./p
echo both; t -n 'pid$target:a.out:many:entry, pid$target:a.out:many:return { @[probename, probename == "entry" ? arg0 : arg1] = count(); }' -c ./p
echo stack; t -n 'pid$target:a.out:many:return { @[ustack(2)] = count(); }' -c ./p | sed -n 's/^ *\(.*\)`\([a-z]*\)+.*/\1 \2/p' | sort -u
echo later; t -Zn 'pid*:later:many:return { printf("%s %x %d\n", probefunc, arg0, arg1); }' -c 'sh -c "./p; exec ./later x"' | offsets
echo wrong; t -x pidret=magic -n BEGIN
