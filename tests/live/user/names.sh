# SPDX-License-Identifier: GPL-2.0-or-later
# Names in stacks: of C++ and Rust (both of its manglings) as their sources write them, of code
# that a compiler made at run time (perf-PID.map, also when the process is gone), and of a function
# that stands for variants, which have names of their own.
# @@needs: cmd:gcc
# @@status: 1
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: invalid probe specifier
# @@stderr: ^dtrace: pid [0-9]+ has exited
cat >p.c <<'C'
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#define SHOWN __attribute__((noinline, used))
SHOWN int leaf(int n) { __asm__ volatile(""); return n; }
SHOWN int cpp(int n) __asm__("_ZN3app5QueueIiE4pushERKi");
SHOWN int rust(int n) __asm__("_RNvNtCs1234_5crate6module8function");
SHOWN int rust_old(int n) __asm__("_ZN5crate6module3old17h0123456789abcdefE");
int cpp(int n) { return leaf(n) + 1; }
int rust(int n) { return cpp(n) + 1; }
int rust_old(int n) { return rust(n) + 1; }
SHOWN static int variant_one(int n) { return leaf(n) + 2; }
static int (*choose(void))(int) { return variant_one; }
int chosen(int n) __attribute__((ifunc("choose")));
#if defined(__x86_64__)
/* push %rbp; mov %rsp,%rbp; call *%rsi; pop %rbp; ret */
static const unsigned char jit[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd6, 0x5d, 0xc3};
#elif defined(__aarch64__)
/* stp x29,x30,[sp,-16]!; mov x29,sp; blr x1; ldp x29,x30,[sp],16; ret */
static const unsigned jit[] = {0xa9bf7bfd, 0x910003fd, 0xd63f0020, 0xa8c17bfd, 0xd65f03c0};
#endif
int main(void)
{
	int (*code)(int, int (*)(int));
	char path[64];
	FILE *f;

	rust_old(1);
	chosen(2);
	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	if (code == MAP_FAILED)
		return 1;
	memcpy(code, jit, sizeof(jit));
	__builtin___clear_cache((char *)code, (char *)code + sizeof(jit));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	f = fopen(path, "w");
	if (!f)
		return 1;
	fprintf(f, "%lx %zx jitted function\n", (unsigned long)code, sizeof(jit));
	fclose(f);
	printf("map %s\n", path);
	fflush(stdout);
	code(3, leaf);
	return 0;
}
C
gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o p p.c
$DTRACE -qn 'pid$target:a.out:leaf:entry { printf("%d\n", arg0); ustack(4); }' -c ./p |
	sed 's/^ *//; s/+0x[0-9a-f]*$//; /^$/d' >all
rm -f "$(sed -n 's/^map //p' all)"
grep -v '^map' all >out
want() { # N NAME...
	n=$1
	shift
	printf '%s\n' "$n" "$@" >want
	sed -n "/^$n\$/,/^$((n + 1))\$/p" out | head -$(($# + 1)) >got
	diff -u want got
}
want 1 'p`leaf' 'p`app::Queue<int>::push' 'p`crate::module::function' 'p`crate::module::old'
$DTRACE -x demangle=no \
	-qn 'pid$target:a.out:leaf:entry /arg0 == 1/ { ustack(3); setopt("demangle"); }
	pid$target:a.out:leaf:entry /arg0 == 1/ { ustack(3); }' \
	-c ./p | sed 's/^ *//; s/+0x[0-9a-f]*$//; /^$/d' >plain
rm -f "$(sed -n 's/^map //p' plain)"
printf '%s\n' 'p`leaf' 'p`_ZN3app5QueueIiE4pushERKi' 'p`_RNvNtCs1234_5crate6module8function' \
	'p`leaf' 'p`app::Queue<int>::push' \
	'p`crate::module::function' >want
sed '/^map/d' plain | diff -u want -
want 2 'p`leaf' 'p`variant_one' 'p`main'
want 3 'p`leaf' '[anon]`jitted function' 'p`main'
$DTRACE -en 'pid$target:a.out:chosen:entry {}' -c ./p 2>err && exit 1
grep -q 'chosen of p is chosen at run time among variants' err
$DTRACE -qn 'pid$target:a.out:variant_one:entry { @ = count(); }
	END { printa("%@d\n", @); }' -c ./p >out
rm -f "$(sed -n 's/^map //p' out)"
grep -qx 1 out

# Ids have the six digits of their column.
$DTRACE -n 'pid$target:a.out:seven:entry' -c 'victim 1' >out 2>err
[ "$(sed -n 's/ *$//; /seven:entry/p' out | wc -c)" = "$(grep FUNCTION:NAME out | wc -c)" ] || {
	cat out
	exit 1
}
