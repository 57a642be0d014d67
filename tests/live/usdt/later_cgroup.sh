# SPDX-License-Identifier: GPL-2.0-or-later
# -Z with -x cgroup: only files that processes of the group map later are searched, here two copies
# of a program that begin after dtrace, one in the group and one outside.
# @@needs: cmd:gcc
# @@stderr: ^dtrace: debug: 
fail() { echo "$*"; exit 1; }
mkdir tree
mount -t cgroup2 none tree 2>/dev/null || { echo "needs cgroup2"; exit 77; }
top=dt_later_$$
trap 'rmdir tree/$top/below tree/$top 2>/dev/null || :; umount tree' EXIT
mkdir -p tree/$top/below || { echo "needs control groups that can be made"; exit 77; }
echo 'provider shop { probe go(int); };' >shop.d
cat >work.c <<'C'
#include "shop.h"
#include <unistd.h>
__attribute__((noinline)) int dt_later(int n) { SHOP_GO(n); return n; }
int main(void)
{
	for (int i = 0; i < 50; i++) {
		dt_later(i);
		usleep(10000);
	}
	return 0;
}
C
$DTRACE -h -s shop.d
gcc -O1 -c work.c
$DTRACE -G -s shop.d work.o -o shop.o
gcc work.o shop.o -o inside
cp inside outside
# The file is what is later: each probe of it is enabled with a message of -x debug.
$DTRACE -x debug -x cgroup=$top -Zqn 'BEGIN { system("echo >begun"); }
	shop*:::go { @[execname] = count(); } tick-5s { exit(0); }
	END { printa("%s %@d\n", @); }' -w >out 2>err &
until [ -e begun ] || ! kill -0 $!; do sleep 0.1; done
sleep 0.5
./outside &
./inside & # not yet in the group
cat >join <<'S'
echo $$ >"$1/cgroup.procs"
exec ./inside
S
wait $! || :
sh join tree/$top/below
wait
grep -q '[0-9] probes in .*/inside$' err || fail "not found: $(cat err)"
! grep 'probes in .*/outside$' err || fail "a file of another group is searched"
grep '^inside [1-9]' out || fail "$(cat out err)"
! grep outside out || fail "it fires"
