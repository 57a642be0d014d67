# SPDX-License-Identifier: GPL-2.0-or-later
# Names of functions, constants, data and zeroes, and the stacks, of programs that several linkers
# laid out: with segments at their offsets in the file or not, with the dynamic linker or without.
# @@needs: cmd:gcc
cat >p.c <<'C'
#define SHOWN __attribute__((noinline, used))
const int constant[64] = {1, 2, 3};
static int target;
int *const relocated[4] = {&target, &target};
int data[64] = {1};
int zeroes[64], many[9000];
SHOWN int probe(const void *code, const void *c, const void *r, const void *d, const void *z,
		const void *m)
{
	__asm__ volatile("");
	return code && c && r && d && z && m;
}
SHOWN int inner(int n)
{
	return probe((const char *)inner + 1, constant + 1, relocated + 1, data + 2, zeroes + 3,
		     many + 8999) + n;
}
SHOWN int middle(int n) { return inner(n + 1) + 1; }
SHOWN int outer(int n) { return middle(n + 1) + 1; }
int main(int argc, char **argv) { (void)argv; return !outer(argc); }
C
cat >names.d <<'D'
pid$target:a.out:probe:entry
{
	printf("%A %A %A %A %A %A\n", arg0, arg1, arg2, arg3, arg4, arg5);
	@[umod(arg0)] = count();
	@[umod(arg3)] = count();
	@[umod(arg4)] = count();
	ustack(5);
}
END { printa("%A %@d\n", @); }
D
cat >want <<'T'
p`inner+0x1 p`constant+0x4 p`relocated+0x8 p`data+0x8 p`zeroes+0xc p`many+0x8c9c
p`probe
p`inner
p`middle
p`outer
p`main
p 3
T
check() { # WHAT
	$DTRACE -qs names.d -c ./p | sed 's/^ *//; 2,$s/+0x[0-9a-f]*$//; /^$/d' >got
	diff -u want got || { echo "$1"; exit 1; }
}
build() { # FLAG...
	gcc -O1 -fomit-frame-pointer -fno-optimize-sibling-calls "$@" -o p p.c 2>err || return 0
	check "$*"
}
build
! command -v ld.gold >/dev/null || build -fuse-ld=gold
if command -v ld.lld >/dev/null; then
	build -fuse-ld=lld
	build -fuse-ld=lld -static-pie
fi
