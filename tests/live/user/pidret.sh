# SPDX-License-Identifier: GPL-2.0-or-later
# Return probes on the instructions that return (-x pidret=insn; auto, the default, where they are
# all known). An exception passes, arg0 says which one it was, a jump to another function returns,
# stacks have the caller, and files that come later (-Z) are no exception.
# @@needs: cmd:g++
# @@status: 1
# @@stderr: ^dtrace: failed to set -x pidret: Invalid value for specified
# @@stderr: ^dtrace: (description|pid [0-9]* terminated)
# @@stderr: ^dtrace: warning: pid[0-9]*:p:(risky|tail):return replaces the return address: an exception
cat >p.cc <<'CC'
#include <cstdio>
#include <stdexcept>
#include <unistd.h>
#if defined(__x86_64__)
asm(".text\n.globl many, tail, sw\n"
    ".type many, @function\n.type tail, @function\n.type sw, @function\n"
    "many: test %edi, %edi\n je 1f\n mov $1, %eax\n ret\n1: mov $2, %eax\n ret\n"
    ".size many, . - many\n"
    "tail: jmp many\n.size tail, . - tail\n"
    /* a switch by a table, and a cold part that returns by itself and by a jump back */
    "sw: cmp $1, %edi\n ja sw.cold\n lea 5f(%rip), %rdx\n mov %edi, %eax\n"
    "movslq (%rdx,%rax,4), %rax\n"
    "add %rdx, %rax\n jmp *%rax\n 1: mov $10, %eax\n ret\n 2: mov $11, %eax\n 3: ret\n"
    ".size sw, . - sw\n"
    ".type sw.cold, @function\nsw.cold: mov $12, %eax\n cmp $2, %edi\n jne 3b\n ret\n"
    ".size sw.cold, . - sw.cold\n"
    ".section .rodata\n 5: .long 1b - 5b, 2b - 5b\n.text\n");
#else
asm(".text\n.globl many, tail\n.type many, %function\n.type tail, %function\n"
    "many: cbz w0, 1f\n mov w0, 1\n ret\n1: mov w0, 2\n ret\n.size many, . - many\n"
    "tail: b many\n.size tail, . - tail\n"
    ".globl sw\n.type sw, %function\n"
    "sw: cmp w0, 1\n b.hi sw.cold\n adr x1, 5f\n ldrsw x2, [x1, w0, uxtw 2]\n"
    "add x2, x1, x2\n br x2\n"
    "1: mov w0, 10\n ret\n2: mov w0, 11\n3: ret\n5: .word 1b - 5b, 2b - 5b\n.size sw, . - sw\n"
    ".type sw.cold, %function\nsw.cold: cmp w0, 2\n mov w0, 12\n b.ne 3b\n ret\n"
    ".size sw.cold, . - sw.cold\n");
#endif
extern "C" int many(int), tail(int), sw(int);
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
	for (int i = 0; i < 4; i++)
		sw(i);
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

echo exception; t -n 'pid$target:a.out::return { n++; }
	END { printf("%d\n", n > 6); }' -c ./p; cat err
$DTRACE -x pidret=uretprobe -n 'pid$target:a.out:risky:return { }' -c ./p 2>&1 |
	sed -n 's/^dtrace: pid [0-9]* //p'
echo offset; t -n 'pid$target:a.out:many:return { printf("%s %x %d\n", probefunc, arg0, arg1); }' \
	-c ./p | offsets
echo tail; t -n 'pid$target:a.out:tail:return { printf("%s %x\n", probefunc, arg0); }' -c ./p
echo both; t -n 'pid$target:a.out:many:entry, pid$target:a.out:many:return {
	@[probename, probename == "entry" ? arg0 : arg1] = count(); }' -c ./p
echo stack; t -n 'pid$target:a.out:many:return { @[ustack(2)] = count(); }' -c ./p |
	sed -n 's/^ *\(.*\)`\([a-z]*\)+.*/\1 \2/p' | sort -u
echo later; t -Zn 'pid*:later:many:return { printf("%s %x %d\n", probefunc, arg0, arg1); }' \
	-c 'sh -c "./p; exec ./later x"' | offsets
echo auto; $DTRACE -qn 'pid$target:a.out:risky:return { n++; }
	END { printf("%d", n); }' -c ./p 2>err; cat err
$DTRACE -qn 'pid$target:a.out:sw:return { printf("%d %d\n", arg0 != 0, arg1); }' -c ./p 2>err
cat err
echo known; $DTRACE -qn 'pid$target:a.out:tail:return { printf("%d %d\n", arg0, arg1); }' \
	-c ./p 2>err; sed 's/pid[0-9]*/pidN/' err
echo wrong; t -x pidret=magic -n BEGIN
