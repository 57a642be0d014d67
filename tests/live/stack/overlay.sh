# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks in short processes whose program is on overlayfs, as in a container: the file that is
# mapped is not the one that the process sees.
# @@needs: read_kernel cmd:gcc cmd:unshare
case $(uname -m) in
x86_64 | aarch64) ;;
*) echo 'the tables are for x86-64 and aarch64'; exit 77 ;;
esac
if [ -z "${INSIDE:-}" ]; then
	INSIDE=yes exec unshare -m sh -eu "$0"
fi
mkdir top && mount -t tmpfs none top && mkdir top/lower top/upper top/work top/all
mount -t overlay none -o lowerdir=top/lower,upperdir=top/upper,workdir=top/work top/all ||
	{ echo 'overlayfs cannot be mounted here'; exit 77; }
cat >p.c <<'C'
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) int leaf(int n)
{
	volatile char b[64];

	for (int i = 0; i < 64; i++)
		b[i] = n;
	getppid();
	return b[n];
}
static int compare(const void *a, const void *b)
{
	return leaf(*(const int *)a) - leaf(*(const int *)b);
}
int main(int argc, char **argv)
{
	int v[] = {2, 1};
	qsort(v, 2, sizeof(v[0]), compare);
	if (argc > 1) /* the first one: until its tables were read */
		sleep(atoi(argv[1]));
	return !argv;
}
C
gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o top/all/prog p.c
wait=1
! grep -q 'QEMU TCG' /proc/cpuinfo || wait=10
p=$PWD/top/all/prog
$DTRACE -qn 'syscall::getppid:entry /progenyof($target) && execname == "prog"/ {
	printf("stack %d\n", pid); ustack(20); }' \
	-c "sh -c '$p $wait; for i in 1 2 3 4 5 6 7 8 9 10; do $p; done'" >out
awk '$1 == "stack" { pid = $2; pids[pid] } /`main\+/ { whole[pid] }
	END { for (p in pids) n++; for (p in whole) w++; print n, w + 0 }' out >result
grep -Eqx '11 1[01]' result || { cat result out; exit 1; }
umount top/all top
