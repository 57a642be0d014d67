# SPDX-License-Identifier: GPL-2.0-or-later
# Static probes of a process in libraries that it loads while tracing goes on, without -Z: of a
# command and of -p, with the types that dtrace -G has left, by a pattern of the library. A
# description that names the program, or matches nothing at first, does not wait.
# @@needs: cmd:gcc
# @@status: 1
# @@stderr: ^dtrace: invalid probe specifier shop.target::fire:late
cat >shop.d <<'D'
provider shop { probe go(int a, char *b) : (char *b, int a); probe late(int a); };
D
$DTRACE -h -s shop.d
cat >main.c <<'C'
#include <dlfcn.h>
#include "shop.h"
int main(int argc, char **argv)
{
	char c, text[] = "main"; /* memory that is used: its page can be read */
	void *lib;

	if (argc > 2 && read(0, &c, 1) != 1)
		return 1;
	SHOP_GO(3, text);
	lib = dlopen(argv[1], RTLD_NOW);
	return lib ? ((int (*)(int)) dlsym(lib, "fire"))(argc > 2) : 1;
}
C
cat >lib.c <<'C'
#include "shop.h"
int fire(int wait)
{
	char text[] = "lib";

	for (int i = 0; wait && !SHOP_LATE_ENABLED() && i < 20000; i++)
		usleep(1000);
	usleep(wait ? SETTLE : 0); /* the other probe is attached */
	SHOP_GO(7, text);
	SHOP_LATE(1);
	return 0;
}
C
gcc -c main.c -o main.o && gcc -fPIC -DSETTLE="${SLOW:+4}300000" -c lib.c -o lib.o
echo 'provider shop { probe go(int a, char *b) : (char *b, int a); };' >one.d
$DTRACE -G -s one.d main.o -o main_probes.o
$DTRACE -G -s shop.d lib.o -o lib_probes.o
gcc -o shop main.o main_probes.o && gcc -shared -o libshop.so lib.o lib_probes.o
echo 'a command'
$DTRACE -qn 'shop$target::: { printf("%s %s:%s\n", probemod, probefunc, probename); }
	shop$target:::go { printf("%s %d\n", stringof(args[0]), args[1]); }' \
	-c './shop ./libshop.so'
echo 'by the object'
$DTRACE -qn 'shop$target:*sho*::go { printf("%s\n", probemod); }' -c './shop ./libshop.so'
$DTRACE -qn 'shop$target:a.out::go { printf("%s\n", probemod); }' -c './shop ./libshop.so'
$DTRACE -qn 'shop$target:shop::go { printf("%s\n", probemod); }' -c './shop ./libshop.so'
echo 'listed'
$DTRACE -ln 'shop$target:::' -c './shop ./libshop.so' | awk 'NR > 1 { print $3, $5 }'
echo 'nothing at first'
$DTRACE -qn 'shop$target::fire:late {}' -c './shop ./libshop.so' 2>&1 |
	sed 's/.*shop[0-9]*:/shopPID:/'
echo 'a process that runs'
mkfifo start
./shop ./libshop.so wait <start & a=$!
exec 3<>start
while [ "$(cat /proc/$a/comm)" != shop ]; do sleep 0.1; done
$DTRACE -qw -p $a -n 'BEGIN { system("echo >start"); }
	shop$target::: { printf("%s %s\n", probemod, probename); }'
exec 3>&-
wait
