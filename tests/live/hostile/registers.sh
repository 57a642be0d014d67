# SPDX-License-Identifier: GPL-2.0-or-later
# A program cannot hide its system calls, or show them as others, by what it leaves in registers:
# the kernel takes 32 bits of a number, and an int $0x80 may have the registers of an instruction
# syscall.
# @@needs: cmd:gcc
[ "$(uname -m)" = x86_64 ] || { echo 'the registers are those of x86-64'; exit 77; }
cat >call.c <<'C'
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
static long call(uint64_t number)
{
	long result;

	asm volatile("syscall"
		     : "=a"(result) : "a"(number), "D"(0), "S"(0) : "rcx", "r11", "memory");
	return result;
}
/* number in 32-bit programs, with rcx and r11 as the instruction syscall leaves them */
static int call32(int number)
{
	int result;

	asm volatile("pushfq\n\tpop %%r11\n\tlea 1f(%%rip), %%rcx\n\tint $0x80\n1:"
		     : "=a"(result) : "a"(number), "b"(0), "d"(0), "S"(0), "D"(0)
		     : "rcx", "r8", "r9", "r10", "r11", "memory");
	return result;
}
int main(void)
{
	int calls = 0, calls32 = 0;

	for (int i = 0; i < 10; i++)
		calls += call(0x1000000000ull << i | SYS_getppid) > 0;
	for (int i = 0; i < 10; i++)
		calls32 += call32(64 /* getppid */) > 0;
	printf("%d %d\n", calls, calls32);
	return 0;
}
C
gcc -o call call.c
# 64 is semget in 64-bit programs. Before Linux 5.14 the kernel refuses the large numbers, and only
# the return, which has 32 bits of the number, fires.
$DTRACE -qn 'syscall::getppid:entry, syscall::getppid:return, syscall::semget: /pid == $target/
	{ @[probefunc, probename] = count(); }' -c ./call >out
read -r calls calls32 <out
[ "$calls32" = 10 ] || { echo "32-bit calls: $calls32 of 10"; cat out; exit 1; }
returns=$((calls32 + (calls ? calls : 10)))
printf 'getppid entry %d\ngetppid return %d\n' $((calls + calls32)) $returns >want
tail -n +3 out | awk '{$1 = $1; print}' | sort >got
diff want got
