# SPDX-License-Identifier: GPL-2.0-or-later
# -Z: static probes and functions of files that no process has mapped when tracing begins. The
# programs wait until they are seen.
# @@needs: cmd:gcc
# @@status: 1
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: failed to match shop\*:::go: No probe matches description
# @@stderr: ^dtrace: pid [0-9]+ has exited
# @@stderr: ^dtrace: warning: shop\*:::go: no process has an object with static
cat >late.c <<'C'
#define _SDT_HAS_SEMAPHORES 1
#include <stdlib.h>
#include <sys/sdt.h>
#include <unistd.h>
#define SEMAPHORE(name) unsigned short name##_semaphore __attribute__((section(".probes")))
SEMAPHORE(shop_go);
SEMAPHORE(shop_end);
__attribute__((noinline)) void fire(long n, const char *text, const short *p, unsigned char c)
{
	STAP_PROBE5(shop, go, n, text, *p, c, 77);
	STAP_PROBE1(shop, end, (int) -n);
}
__attribute__((noinline)) int late(int n)
{
	__asm__ volatile("");
	return n + 1;
}
int run(void)
{
	const short s[] = {-5, 6};
	int i = 0;

	while ((!shop_go_semaphore || !shop_end_semaphore) && i++ < 10000)
		usleep(1000);
	usleep(300000); /* single uprobes raise them a moment before the program is there */
	fire(1L << 40, "one", &s[0], 250);
	fire(7, "two", &s[1], 3);
	/* until nobody looks any more */
	for (i = 0; getenv("LATE") && shop_go_semaphore && i < 10000; i++, usleep(1000))
		late(i);
	return 0;
}
C
echo 'int run(void); int main(void) { return run(); }' >main.c
cat >loads.c <<'C'
#include <dlfcn.h>
int main(int argc, char **argv)
{
	void *lib = dlopen(argv[argc - 1], RTLD_NOW);

	return lib ? ((int (*)(void)) dlsym(lib, "run"))() : 1;
}
C
gcc -O2 -o shopper late.c main.c && gcc -O2 -shared -fPIC -o 'shop lib.so.3' late.c &&
	gcc -o loads loads.c
echo 'all processes: each of the clauses that a probe fits, in their order'
$DTRACE -Zqn 'this int n;
	shop*:::go { this->n = 1; printf("%s:%s:%s:%s %d %s %d %d %d %d\n", probeprov, probemod,
		probefunc, probename, arg0, copyinstr(arg1), arg2, arg3, args[4], arg5); }
	shop*:::g*, shop*:::e* { this->n++; @[probename, this->n] = count(); }
	shop*::fire:end { this->n += 10; printf("end %d %d, %d\n", arg0, args[0], this->n); }
	END { printa("%s %d %@d\n", @); }' -c 'sh -c "sleep 0.1; ./shopper; true"' |
	sed 's/^shop[0-9]*:/shopPID:/'
echo 'lines'
$DTRACE -Zn 'shop*:::' -c 'sh -c "sleep 0.1; ./shopper; true"' 2>/dev/null |
	awk 'NF == 3 { print $3 }'
echo 'declared'
cat >declared.d <<'D'
provider shop { probe go(long n, char *text, short s, unsigned char c, int) : (string text, long n);
	probe end(int); };
shop*:::go { printf("%s %d\n", args->text, args->n); }
shop*:::end { printf("%d\n", args[0]); }
D
$DTRACE -Zqs declared.d -c 'sh -c "sleep 0.1; ./shopper; true"'
echo 'one process, which loads it'
LATE=1 $DTRACE -Zqn 'shop$target:::go { printf("%s %d\n", probemod, arg0); } shop$target:::end {}
	pid$target:shop?lib.so.3:late:entry /!n++/ {
		printf("%s %s %d\n", probemod, probefunc, pid == $target); }
	pid$target:shop?lib.so.3:late:return /n && !m++/ { printf("%s %d\n", probename, arg1 > 0);
		exit(0); }' \
	-c "./loads '$PWD/shop lib.so.3'" | sort
echo 'any process'
LATE=1 $DTRACE -Zqx aggsortkey -n 'shop*:::go, shop*:::end {}
	pid*:shopper:late:[er]*t* /progenyof($target)/ { @[probename] = count(); }
	pid*:shopper:late:return /progenyof($target) && m++ == 3/ { exit(0); }
	END { printa("%s\n", @); }' -c 'sh -c "sleep 0.1; ./shopper; true"'
echo 'a path where nothing is yet'
(sleep 0.3; cp shopper comes; LATE=1 ./comes) &
$DTRACE -Zqn "shop*:$PWD/comes::go, shop*:$PWD/comes::end { @[probename] = count(); }
	pid*:$PWD/comes:late:entry { printf(\"late\n\"); exit(0); }" | sort
wait
echo 'a child'
$DTRACE -Zqx follow -n 'shop$target:::go { printf("%d %d\n", pid != $target, arg0); }
	shop$target:::end {}' \
	-c "sh -c './loads \"$PWD/shop lib.so.3\"; true'"
echo 'not without -Z, and not in listings'
$DTRACE -qn 'shop*:::go {}' 2>&1 | sed 's/.*: no/no/'
$DTRACE -lZn 'shop*:::go' 2>/dev/null || echo $?
$DTRACE -eZn 'pid*:shopper:late:entry { trace(args[0]); }' 2>&1 | sed 's/.*: the types/the types/'
