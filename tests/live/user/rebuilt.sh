# SPDX-License-Identifier: GPL-2.0-or-later
# Descriptions that wait: a file that is written anew in its place has what was asked for then; and
# one that no other process can open, for the first to map it had ended by then. Programs go on
# until they are seen, for an emulated machine may take long to see them.
# @@needs: cmd:gcc cmd:unshare
cat >p.c <<'C'
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) void NAME(void) { __asm__ volatile(""); }
int main(int argc, char **argv)
{
	for (int i = argc > 1 ? atoi(argv[1]) : 500; i >= 0; i--) {
		NAME();
		usleep(20000);
	}
	return 0;
}
C
gcc -DNAME=other -o old p.c
gcc -DNAME=later -o new p.c
cat >run.sh <<'R'
cp old prog
./prog 0
cat new >prog
./prog
./prog
R
$DTRACE -wZqn 'pid*:prog:later:entry /progenyof($target)/ { printf("%s\n", probefunc);
	raise(9); }' -c 'sh run.sh' | grep .
echo 'in a file system of its own'
mkdir own
cat >run.sh <<'R'
mount -t tmpfs none own
cp new own/owned
own/owned 0
own/owned
R
$DTRACE -wZqn 'pid*:owned:later:entry /progenyof($target)/ { printf("%s\n", probefunc);
	raise(9); }' -c 'unshare -m sh run.sh' | grep . | sort -u
