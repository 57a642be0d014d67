# SPDX-License-Identifier: GPL-2.0-or-later
# With lockdown=confidentiality, user stacks follow the tables of processes that dtrace knows. The
# mappings of others cannot be read, so theirs go by frame pointers, and by tables once dtrace has
# read their files.
# @@needs: cmd:gcc
grep -qs '\[confidentiality\]' /sys/kernel/security/lockdown || {
	echo "this kernel is not locked down"
	exit 77
}
fail() { echo "$*"; exit 1; }
cat >deep.c <<'C'
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) int leaf(int n) { getppid(); return n + 1; }
__attribute__((noinline)) int middle(int n) { return leaf(n) + 1; }
int main(int n, char **v)
{
	for (int i = n > 1 ? atoi(v[1]) : 1; i; i--) {
		middle(i);
		usleep(10000);
	}
	return 0;
}
C
gcc -O2 -fomit-frame-pointer -o deep deep.c
# whole FILE FUNCTION...: a stack has these.
whole() {
	file=$1
	shift
	for name; do grep -q "$name" $file || fail "no $name: $(cat $file err)"; done
}
$DTRACE -qn 'pid$target:deep:leaf:entry { @[ustack()] = count(); }' -c ./deep >out 2>err
whole out 'deep`leaf$' 'deep`middle+' 'deep`main+' '__libc_start\|_start'
$DTRACE -qn 'pid$target:deep:leaf:return { @[ustack()] = count(); }' -c ./deep >out 2>err
whole out 'deep`middle+\|deep`leaf+' '__libc_start\|_start'
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }' -c ./deep \
	>out 2>err
whole out 'getppid' 'deep`main+' '__libc_start\|_start'
# Short-lived processes, and one that runs already.
$DTRACE -qn 'syscall::getppid:entry /execname == "deep"/ { @[ustack()] = count(); }' \
	-c 'sh -c "for i in 1 2 3 4; do ./deep; done"' >out 2>err
whole out 'getppid'
./deep 500 &
$DTRACE -qn 'syscall::getppid:entry /execname == "deep"/ { @[ustack()] = count(); }
	tick-2s { exit(0); }' >out 2>err
kill $!
whole out 'getppid' 'deep`main+' '__libc_start\|_start'
