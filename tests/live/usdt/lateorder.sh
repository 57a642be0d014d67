# SPDX-License-Identifier: GPL-2.0-or-later
# -Z: clauses run in the order of the program, also where descriptions of one process and of all
# processes mean the same probe of a file that is mapped later. The probe of all processes fires in
# others.
# @@needs: cmd:gcc
cat >late.c <<'C'
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
#include <unistd.h>
unsigned short shop_sale_semaphore __attribute__((section(".probes")));
__attribute__((noinline)) int work(int n)
{
	STAP_PROBE2(shop, sale, n, n + 1);
	__asm__ volatile("");
	return n + 1;
}
int run(void)
{
	for (int i = 0; !shop_sale_semaphore && i < 20000; i++)
		usleep(1000);
	usleep(SETTLE); /* the other probes are attached */
	return work(1) & 0;
}
C
cat >loads.c <<'C'
#include <dlfcn.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char c;
	void *lib;

	if (argc > 2 && read(0, &c, 1) != 1)
		return 1;
	lib = dlopen(argv[1], RTLD_NOW);
	return lib ? ((int (*)(void)) dlsym(lib, "run"))() : 1;
}
C
gcc -O1 -DSETTLE="${SLOW:+4}500000" -shared -fPIC -o shop.so late.c && gcc -o loads loads.c
cat >order.d <<'D'
shop*:::sale { self->n = 1;
	printf("1 %d %d\n", probeprov == strjoin("shop", lltostr(pid)), arg0); }
shop$target:::sale { self->n = self->n * 10 + 2; printf("2 %d\n", arg1); }
shop*:::sale { self->n = self->n * 10 + 3; printf("3 %d\n", arg1); }
shop$target:::, shop*::: /self->n == 123/ { printf("4 %s\n", probename); }
pid*:shop.so:work:return { printf("1 return\n"); }
pid$target:shop.so:work:return { printf("2 return %d\n", arg1); }
pid*:shop.so:work:return { printf("3 return\n"); }
D
echo 'a command'
$DTRACE -Zqs order.d -c './loads ./shop.so'
echo 'a child'
$DTRACE -Zqx follow -n 'shop*:::sale { self->n = 1; }
	shop$target:::sale { self->n = self->n * 10 + 2; }
	shop*:::sale { printf("%d %d\n", pid != $target, self->n * 10 + 3); }' \
	-c "sh -c './loads ./shop.so; true'"

echo 'another process has the file first'
mkfifo start
./loads ./shop.so wait <start & a=$!
exec 3>start
while [ "$(cat /proc/$a/comm)" != loads ]; do sleep 0.1; done
cat >other.d <<'D'
BEGIN { system("(./loads ./shop.so; echo >start) &"); }
shop*:::sale { @[pid == $target ? "own" : "other", 1] = count(); self->n = 1; }
shop$target:::sale { @[pid == $target ? "own" : "other", 2] = count(); self->n = 2; }
shop*:::sale { @[pid == $target ? "own" : "other", 3] = count(); }
shop*:::sale /pid == $target/ { @["own", self->n * 10] = count(); }
END { printa("%s %d %@d\n", @); }
D
$DTRACE -Zqws other.d -p $a | sort
exec 3>&-
wait
