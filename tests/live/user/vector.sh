# SPDX-License-Identifier: GPL-2.0-or-later
# Vector instructions that the kernel takes for jumps and returns when a probe is put on them:
# refused by name, left out where there are others, and the program computes what it computes.
# @@needs: cmd:gcc
# @@status: 1
# @@stderr: ^dtrace: failed to enable
# @@stderr: ^dtrace: warning: [0-9]+ of [0-9]+ functions cannot be traced, among
fail() { echo "$*" >&2; exit 1; }
[ "$(uname -m)" = x86_64 ] || { echo "of x86-64"; exit 77; }
grep -qw avx2 /proc/cpuinfo || { echo "no AVX here"; exit 77; }
cat >v.c <<'C'
#include <stdio.h>
#define CODE(name, text) \
	__attribute__((noinline, naked)) int name(void) { __asm__(text "\n\tret"); }
CODE(first, "vpcmpeqd %xmm0,%xmm0,%xmm0\n\tvmovd %xmm0,%eax")
CODE(inside, "mov $8,%eax\n\tvmovdqa %xmm0,%xmm1\n\tvzeroupper\n\tinc %eax")
CODE(compared, "vcmpps $0,%xmm0,%xmm0,%xmm0\n\tmov $5,%eax")
__attribute__((noinline)) long sum(const unsigned char *s)
{
	long n = 0;

	for (int i = 0; i < 4096; i++)
		n += s[i] == 7 ? 3 : s[i];
	return n;
}
int main(void)
{
	unsigned char s[4096];

	for (int i = 0; i < 4096; i++)
		s[i] = i * 7;
	printf("%d %d %d %ld\n", first(), inside(), compared(), sum(s));
	return 0;
}
C
gcc -O3 -mavx2 -o v v.c
want=$(./v)
for probes in first: first:entry first:return first:4 inside: compared: \
	compared:return sum: :entry :return :; do
	got=$($DTRACE -qn "pid\$target:a.out:$probes { @ = count(); }" -c ./v 2>err |
		grep '^-*[0-9]* [0-9]* [0-9]* [0-9]*$' || true)
	if grep -q '^dtrace: failed' err; then
		grep -q 'the kernel would decode a vector instruction there as another one' err ||
			fail "$probes: $(cat err)"
		echo "refused $probes"
	else
		[ "$got" = "$want" ] || fail "$probes: $got, not $want"
	fi
done
