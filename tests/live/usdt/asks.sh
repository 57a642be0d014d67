# SPDX-License-Identifier: GPL-2.0-or-later
# Objects that only test whether a probe is enabled: the test is true while dtrace traces the probe,
# also where the probe fires in another file of the process, and arguments have their types.
# @@needs: cmd:gcc
cat >shop.d <<'D'
provider shop {
	probe query__start(int8_t, char *, uint64_t);
	probe done();
};
D
cat >asks.c <<'C'
#include <stdint.h>
#include <stdio.h>
#include "shop.h"
void ask(void)
{
	printf("start %d, done %d\n", SHOP_QUERY_START_ENABLED() > 0, SHOP_DONE_ENABLED() > 0);
	fflush(stdout);
}
C
echo 'void ask(void); int main(void) { ask(); return 0; }' >main.c
cat >fires.c <<'C'
#include "shop.h"
void ask(void);
int main(void)
{
	ask();
	SHOP_DONE();
	return 0;
}
C
$DTRACE -h -s shop.d
gcc -fPIC -c asks.c
$DTRACE -G -s shop.d asks.o -o asks_probes.o
gcc main.c asks.o asks_probes.o -o alone
gcc -shared asks.o asks_probes.o -o libasks.so
gcc -c fires.c
$DTRACE -G -s shop.d fires.o -o fires_probes.o
gcc fires.o fires_probes.o ./libasks.so -o fires
echo 'without dtrace'
./alone
./fires
echo 'listed'
$DTRACE -ln 'shop$target:::' -c ./alone | awk 'NR > 1 { print $3, $4, $5 }'
echo 'one probe, then the other'
$DTRACE -qn 'shop$target:::done {}' -c ./alone
$DTRACE -qn 'shop$target:::query-start {
		printf("%d %s %d\n", args[0], copyinstr(arg1), args[2]);
	}' -c ./alone
echo 'tested in a library'
$DTRACE -qn 'shop$target:::done { @[probefunc] = count(); }
	END { printa("%s %@d\n", @); }' -c ./fires
echo 'by all processes'
$DTRACE -qn "shop*:$PWD/alone::done {}" -c ./alone
echo 'stripped'
strip alone
$DTRACE -qn 'shop$target::: {}' -c ./alone
