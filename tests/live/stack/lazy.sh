# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks go on to _start through the dynamic linker's code that finds a function when it is first
# called, which on x86-64 keeps the base of its frame in rbx. On aarch64 its functions have no
# names.
# @@needs: read_kernel cmd:gcc
case $(uname -m) in
x86_64 | aarch64) ;;
*) echo 'the tables are for x86-64 and aarch64'; exit 77 ;;
esac
cat >lib.c <<'C'
static int seven(void) { return 7; }
__attribute__((noinline)) void *choose(void) { return seven; }
int chosen(void) __attribute__((ifunc("choose")));
C
cat >lazy.c <<'C'
#include <math.h>
#include <stdlib.h>
int chosen(void);
int main(int argc, char **argv)
{
	return (int)(lrint(atof(argv[argc - 1])) + labs(argc) + chosen()) & 0;
}
C
gcc -shared -fPIC -o liblazy.so lib.c
gcc -O2 -fomit-frame-pointer -fno-builtin -Wl,-z,lazy -Wl,-rpath,. -o lazy lazy.c -L. -llazy -lm
$DTRACE -qn 'pid$target:liblazy.so:choose:entry { @[ustack()] = count(); }' -c './lazy 3' |
	sed 's/+0x.*//; s/^ *//' >out
awk '/^liblazy.so`choose$/ { n = 1 } n == 1 && last == "lazy`main" && /^libc/ { n++ }
	n == 2 && /^lazy`_start$/ { n++ }
	{ last = $1 }
	END { exit n != 3 }' out || { cat out; exit 1; }
[ "$(uname -m)" = x86_64 ] || exit 0
for f in _dl_fixup _dl_lookup_symbol_x do_lookup_x; do
	$DTRACE -qn 'pid$target:ld-linux*:'$f':entry { @[ustack()] = count(); }' -c './lazy 3' >out
	sed 's/+0x.*//; s/^ *//' out >$f
	awk '/_dl_runtime_resolve/ { resolved++ }
		/^lazy`_start$/ && resolved { whole++ }
		NF == 1 && /^[0-9]+$/ {
			n += resolved != 0
			ends += whole != 0
			resolved = whole = 0
		}
		END {
			print ends + 0 " of " n + 0 " are whole"
			exit !n || n != ends
		}' $f >result || { cat result out; exit 1; }
done
