# SPDX-License-Identifier: GPL-2.0-or-later
# Descriptions that wait: a file that is written anew in its place has what was asked for then; and one that nobody else can open, for
# whoever mapped it first was gone by then.
# @@needs: cmd:gcc cmd:unshare
cat >p.c <<'C'
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) void NAME(void) { __asm__ volatile(""); }
int main(int argc, char **argv)
{
	usleep(argc > 1 ? atoi(argv[1]) : 300000);
	NAME();
	return 0;
}
C
gcc -DNAME=other -o old p.c
gcc -DNAME=later -o new p.c
cat >run.sh <<'R'
cp old prog
./prog
cat new >prog
./prog
./prog
R
$DTRACE -Zqn 'pid*:prog:later:entry /progenyof($target)/ { printf("%s\n", probefunc); }' -c 'sh run.sh' | grep .
echo 'in a file system of its own'
mkdir own
cat >run.sh <<'R'
mount -t tmpfs none own
cp new own/owned
own/owned 0
sleep 0.3
own/owned
R
$DTRACE -Zqn 'pid*:owned:later:entry /progenyof($target)/ { printf("%s\n", probefunc); }' -c 'unshare -m sh run.sh' | grep .
