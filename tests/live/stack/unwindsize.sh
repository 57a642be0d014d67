# SPDX-License-Identifier: GPL-2.0-or-later
# Tables that do not fit into -x unwindsize: those of programs that are gone are discarded for the
# next program; a program that does not fit at all is reported.
# @@needs: cmd:gcc
# @@stderr: ^dtrace: warning: user stacks through .* may be incomplete: unwind tables exceed unwindsize
case $(uname -m) in
x86_64 | aarch64) ;;
*) echo 'the tables are for x86-64 and aarch64'; exit 77 ;;
esac
cat >p.c <<'C'
#define _GNU_SOURCE
#include <stdlib.h>
#include <time.h>
/* 60,000 rows, which take 240 KB */
__asm__(".text\n.rept 15000\n.cfi_startproc\n"
	"nop\n.cfi_def_cfa_offset 16\nnop\n.cfi_def_cfa_offset 24\nnop\n"
	".cfi_def_cfa_offset 32\nnop\n.cfi_endproc\n.endr\n");
__attribute__((noinline)) int NAME(int n)
{
	volatile char buf[64];

	for (int i = 0; i < 1000; i++)
		buf[i % 64] = n;
	return buf[n];
}
static int compare(const void *a, const void *b)
{
	return NAME(*(const int *)a) - NAME(*(const int *)b);
}
int main(void)
{
	int v[] = {2, 1};
	struct timespec t = {0, 0}, now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	do {
		qsort(v, 2, sizeof(v[0]), compare);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	} while (now.tv_sec - t.tv_sec + (now.tv_nsec - t.tv_nsec) / 1e9 < TIME);
	return 0;
}
C
# On an emulated machine it takes longer to read a table.
seconds=0.3
! grep -q 'QEMU TCG' /proc/cpuinfo || seconds=5
flags='-O2 -fomit-frame-pointer -fno-optimize-sibling-calls -fasynchronous-unwind-tables'
gcc $flags -DTIME=$seconds -DNAME=first -o a p.c
gcc $flags -DTIME=$seconds -DNAME=second -o b p.c
samples() { # SIZE: stacks of ./a and then of ./b
	$DTRACE -x unwindsize="$1" -qn 'profile-297 /progenyof($target) && execname == "a" ||
		progenyof($target) && execname == "b"/ { printf("stack\n"); ustack(20); }' \
		-c 'sh -c "./a; ./b"' >out 2>err
	cat err >&2
	sed 's/+0x[0-9a-f]*//' out | awk '
		function count() { if (leaf) { all[leaf]++; whole[leaf] += main } leaf = main = 0 }
		$1 == "stack" { count() }
		/`(first|second)$/ { leaf = $1; sub(/.*`/, "", leaf) }
		leaf && /`main$/ { main = 1 }
		END { count(); print (whole["first"] > 2), (whole["second"] > 2),
			all["first"], all["second"] }'
}
samples 512k >result
grep -q '^1 1 [0-9]* [1-9]' result || { cat result out; exit 1; }
if [ -s err ]; then
	echo 'the first program was not discarded'
	exit 1
fi
samples 256k >result
grep -q 'exceed unwindsize' err || { echo 'nothing was reported'; cat result; exit 1; }
