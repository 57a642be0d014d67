# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks of code without frame pointers, by tables, through the C library's, through a signal's
# frame, from probes in the program and in the kernel, as action, key and value; code of a library
# that came later; code without tables; a static executable, and one that is not position
# independent; the kernel's code in processes.
# @@needs: cmd:gcc
# @@status: 1
# @@stderr: ^dtrace: failed to set -x unwind: Invalid value for specified
flags='-O2 -fomit-frame-pointer -fno-optimize-sibling-calls -fasynchronous-unwind-tables'
programs='pie nopie static'
case $(uname -m) in
x86_64) flags="$flags -fcf-protection=none" ;;
aarch64) programs="$programs signed" ;;
*) echo 'the tables are for x86-64 and aarch64'; exit 77 ;;
esac
cat >p.c <<'C'
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef LATE
#include <dlfcn.h>
#endif
#define SHOWN __attribute__((noinline))
SHOWN int leaf(int n) { __asm__ volatile(""); return n * 2; }
SHOWN int middle(int n) { volatile char buf[200]; buf[n] = n; return leaf(n + buf[n]) + 1; }
SHOWN int compare(const void *a, const void *b)
{
	return middle(1) ? *(const int *)a - *(const int *)b : 0;
}
SHOWN void handler(int sig) { middle(sig ? 2 : 0); }
int odd(int);
#if defined(__x86_64__)
/* Aligns its stack, keeps the old one in a word, and the frame pointer is something else. */
__asm__(".text\n.globl odd\n.type odd, @function\nodd: .cfi_startproc\n"
	" mov %rsp, %rax\n .cfi_def_cfa_register 0\n push %rbp\n .cfi_offset 6, -16\n"
	" sub $128, %rsp\n and $-64, %rsp\n mov %rax, 24(%rsp)\n"
	" .cfi_escape 0x0f, 5, 0x77, 24, 6, 0x23, 8\n xor %ebp, %ebp\n call middle\n"
	" mov 24(%rsp), %rax\n .cfi_def_cfa 0, 8\n mov -8(%rax), %rbp\n mov %rax, %rsp\n"
	" .cfi_def_cfa 7, 8\n ret\n .cfi_endproc\n.size odd, . - odd\n");
SHOWN int call(int (*f)(int), int n) { return f(n) + 1; }
/* push %rbp; mov %rsp,%rbp; mov $3,%edi; call *%rax by way of rsi; pop %rbp; ret */
static const unsigned char jit[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd6, 0x5d, 0xc3};
#else
/* Its frame is large, with the saved words at the lower end, and the frame pointer is something
 * else. */
__asm__(".text\n.globl odd\n.type odd, @function\nodd: .cfi_startproc\n"
	" hint 25\n .cfi_negate_ra_state\n sub sp, sp, #4080\n .cfi_def_cfa_offset 4080\n"
	" stp x29, x30, [sp, #16]\n .cfi_offset 29, -4064\n .cfi_offset 30, -4056\n"
	" mov x29, #1\n bl middle\n ldp x29, x30, [sp, #16]\n .cfi_restore 29\n"
	" .cfi_restore 30\n add sp, sp, #4080\n .cfi_def_cfa_offset 0\n"
	" hint 29\n .cfi_negate_ra_state\n ret\n .cfi_endproc\n.size odd, . - odd\n");
/* stp x29, x30, [sp, -16]!; mov x29, sp; blr x1; ldp x29, x30, [sp], 16; ret */
static const unsigned jit[] = {0xa9bf7bfd, 0x910003fd, 0xd63f0020, 0xa8c17bfd, 0xd65f03c0};
#endif
int main(int argc, char **argv)
{
	int v[] = {2, 1};
	int (*code)(int, int (*)(int));
	odd(1);
	qsort(v, 2, sizeof(v[0]), compare);
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	if (code == MAP_FAILED)
		return 1;
	__builtin_memcpy(code, jit, sizeof(jit));
	__builtin___clear_cache((char *)code, (char *)code + sizeof(jit));
	code(3, middle);
#ifdef LATE
	for (int i = 0; argc > 1 && i < 300; i++) { /* until dtrace has looked again */
		void *lib = dlopen(argv[1], RTLD_NOW);
		int (*late)(int (*)(int)) = lib ? (int (*)(int (*)(int)))dlsym(lib, "late") : 0;
		if (!late)
			return 1;
		late(middle);
		usleep(10000);
	}
#endif
	syscall(500);
	return argc < 0 || !argv;
}
C
cat >lib.c <<'C'
__attribute__((noinline)) int late(int (*f)(int)) { volatile int n = 4; return f(n) + n; }
C
gcc $flags -DLATE -o pie p.c && gcc $flags -no-pie -o nopie p.c &&
	gcc $flags -static -o static p.c &&
	case $programs in *signed*) gcc $flags -mbranch-protection=standard -o signed p.c ;; esac &&
	gcc $flags -shared -fPIC -o late.so lib.c
names() { # a stack in one line, without offsets; of the C library only that it is there
	sed 's/+0x[0-9a-f]*//' | awk '/`/ { sub(/^ */, ""); sub(/^[a-z]*`/,
		/^libc|^static`(msort|qsort|__?restore|raise|__pthread|__libc|_start)/ ? "C:" : "");
		sub(/^libc.so.6`.*/, "C"); s = s == "" ? $0 : s " " $0; next }
		/^ *[0-9]+$/ { print s " " $1; s = ""; next }
		s != "" && NF == 0 { print s; s = "" }'
}
has() { # FILE TEXT
	grep -q "$2" "$1" || { echo "no $2 in:"; cat "$1"; exit 1; }
}
for p in $programs; do
	$DTRACE -qn 'pid$target:a.out:leaf:entry { @[ustack(20)] = count(); }' -c ./$p >raw
	names <raw >out
	has out '^leaf middle compare .*main .*_start 1$'
	has out '^leaf middle handler .*main .*_start 1$'
	has out '^leaf middle odd main .*_start 1$'
done
# The same by frame pointers gets lost.
$DTRACE -qx unwind=fp -n 'pid$target:a.out:leaf:entry { @[ustack(20)] = count(); }' \
	-c ./pie | names >out
if grep -q 'compare.*main' out; then
	echo 'there are frame pointers'
	cat out
	exit 1
fi
# An anonymous mapping is gone through by its frame pointer; then tables go on.
$DTRACE -qn 'pid$target:a.out:leaf:entry /ustackdepth > 3/ { ustack(); printf("\n"); }' -c ./nopie |
	sed 's/+0x[0-9a-f]*//; s/^ *//' >raw
awk '/^0x/ && last == "nopie`middle" { jit = 1 } jit && /^nopie`main/ { found = 1 }
	{ last = $1 } END { exit !found }' raw || {
	cat raw
	exit 1
}
# Return probes of functions that are under way replace return addresses.
$DTRACE -qn 'pid$target:a.out:middle:return, pid$target:a.out:compare:return,
	pid$target:a.out:main:return { @r = count(); }
	pid$target:a.out:leaf:entry { @[ustack(20)] = count(); }' -c ./pie >raw
names <raw >out
has out 'leaf middle compare .*main .*_start 1$'
has out 'leaf middle handler .*main .*_start 1$'
# From the kernel, as a value, and how deep; not more frames than wanted.
$DTRACE -qn 'syscall:::entry /pid == $target && arg0 == 500 || probefunc == "tgkill"/ {
	self->s = ustack(3); self->n = ustackdepth; }
	syscall::tgkill:return /pid == $target && self->n/ { @[self->s, self->n > 4] = count();
		self->n = 0; }' -c ./pie >raw
awk '{ sub(/^ */, "") } /^libc.so.6`/ { libc++ } /^pie`main/ { main++ }
	END { exit !(libc == 2 && main == 1) }' raw || {
	cat raw
	exit 1
}
# What is mapped later is known after a while.
$DTRACE -qn 'pid$target:a.out:leaf:entry { @[ustack(20)] = count(); }' -c "./pie $PWD/late.so" >raw
sed 's/+0x[0-9a-f]*//' raw | awk '{ sub(/^ */, "") } /late.so`late/ { late = 1 }
	late && /^pie`main/ { found = 1 } /^[0-9]+$/ { late = 0 } END { exit !found }' ||
	{ cat raw; exit 1; }
# The kernel's code in the process has a table, and names.
cat >clock.c <<'C'
#include <time.h>
__attribute__((noinline)) int spin(int n)
{
	struct timespec t;

	while (n--)
		clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_nsec & 1;
}
int main(int argc, char **argv) { return spin(argc * 3000000) > 1 || !argv; }
C
gcc $flags -o clock clock.c
$DTRACE -qn 'profile-997 /pid == $target/ { @[ustack()] = count(); }' -c ./clock | names >out
grep -q '^\[vdso\]`[a-z_]*clock_gettime C spin main ' out || { cat out; exit 1; }
$DTRACE -e -x unwind=dwarf -n BEGIN 2>err && exit 1
grep -q unwind err
