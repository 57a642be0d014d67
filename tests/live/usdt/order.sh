# SPDX-License-Identifier: GPL-2.0-or-later
# Clauses run in the order of the program, also where descriptions of one process and of all
# processes mean the same probe, and where probes of several names are at one instruction. A probe
# of all processes fires in others as before.
# @@needs: cmd:gcc
cat >shop.c <<'C'
#include <sys/sdt.h>
#include <unistd.h>
__attribute__((noinline)) int work(int n) { STAP_PROBE2(shop, sale, n, n + 1); return n + 1; }
int main(int argc, char **argv)
{
	char c;

	if (argc > 1 && read(0, &c, 1) != 1)
		return 1;
	(void)argv;
	return work(argc) & 0;
}
C
gcc -O1 -o shop shop.c
sed 's/unistd.h/sys\/wait.h>\n#include <unistd.h/
	s/return work.*/if (!fork())\n\t\treturn work(argc) \& 0;\n\twait(0);\n\t&/' shop.c >forks.c
gcc -O1 -o forks forks.c

echo 'static probes'
$DTRACE -qn 'shop*:::sale { self->n = 1;
	printf("1 %d %d\n", probeprov == strjoin("shop", lltostr($target)), arg0); }
	shop$target:::sale { self->n = self->n * 10 + 2; printf("2 %d\n", args[1]); }
	shop*:::sale { self->n = self->n * 10 + 3; printf("3 %d\n", args[1]); }
	shop$target:::, shop*::: /self->n == 123/ { printf("4 %s\n", probename); }
	shop$target:::sale { printf("5\n"); }' -c ./shop

echo 'functions'
$DTRACE -qn "pid*:$PWD/shop:work:entry { printf(\"1 %d\n\", arg0); }"'
	pid$target:a.out:work:entry { printf("2 %d\n", arg0); }
	p*d$target:shop:work:entry { printf("3\n"); }'"
	pid*:$PWD/shop:work:entry { printf(\"4 %d\n\", pid == \$target); }"'
	pid$target:a.out:work:return { printf("5\n"); }'"
	pid*:$PWD/shop:work:return { printf(\"6\n\"); }"'
	pid$target:a.out:work:return { printf("7 %d\n", arg1); }' -c ./shop

echo 'several probes at one instruction'
$DTRACE -qn 'pid$target:a.out:work:0 { printf("1\n"); }
	pid$target:a.out:work:entry { printf("2\n"); }' -c ./shop
$DTRACE -qn 'pid$target:a.out:work:entry { printf("1\n"); }
	pid$target:a.out:work:0 { printf("2\n"); }' -c ./shop

echo 'other processes'
mkfifo one two
./shop w <one & a=$!
./shop w <two & b=$!
exec 3<>one 4<>two
for p in $a $b; do
	while [ "$(cat /proc/$p/comm)" != shop ]; do sleep 0.1; done
done
$DTRACE -qw -p $a -n 'BEGIN {
	system("echo >two; while kill -0 '$b' 2>/dev/null; do sleep 0.05; done; echo >one"); }
	shop*:::sale { @[pid == $target ? "own" : "other", 1] = count(); }
	shop$target:::sale { @[pid == $target ? "own" : "other", 2] = count(); }
	shop*:::sale { @[pid == $target ? "own" : "other", 3] = count(); }
	END { printa("%s %d %@d\n", @); }' | sort
exec 3>&- 4>&-
wait

echo 'children'
$DTRACE -q -x follow -n 'shop*:::sale { self->n = 1; }
	shop$target:::sale { self->n = self->n * 10 + 2; }
	shop*:::sale { self->n = self->n * 10 + 3;
		@[pid == $target ? "own" : "child", self->n] = count(); }
	pid*:'"$PWD"'/forks:work:entry { self->m = 1; }
	pid$target:a.out:work:entry { self->m = self->m * 10 + 2; }
	pid*:'"$PWD"'/forks:work:entry { self->m = self->m * 10 + 3;
		@[pid == $target ? "own" : "child", self->m] = count(); }
	END { printa("%s %d %@d\n", @); }' -c ./forks | sort
./forks w <one & a=$!
exec 3<>one
while [ "$(cat /proc/$a/comm)" != forks ]; do sleep 0.1; done
$DTRACE -q -x follow -wp $a -n 'BEGIN { system("./forks; echo >one"); }
	shop*:::sale { self->n = 1; }
	shop$target:::sale { self->n = self->n * 10 + 2; }
	shop*:::sale { self->n = self->n * 10 + 3;
		@[pid == $target ? "own" : "other", self->n] = count(); }
	END { printa("%s %d %@d\n", @); }' | sort
exec 3>&-
wait
