# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks go on to _start through the dynamic linker's code that finds a function when it is first
# called, which keeps the base of its frame in rbx.
# @@needs: read_kernel cmd:gcc
[ "$(uname -m)" = x86_64 ] || { echo 'the tables are for x86-64'; exit 77; }
cat >lazy.c <<'C'
#include <math.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	return (int)(lrint(atof(argv[argc - 1])) + labs(argc)) & 0;
}
C
gcc -O2 -fno-builtin -Wl,-z,lazy -o lazy lazy.c -lm
for f in _dl_fixup _dl_lookup_symbol_x do_lookup_x; do
	$DTRACE -qn 'pid$target:ld-linux*:'$f':entry { @[ustack()] = count(); }' -c './lazy 3' >out
	sed 's/+0x.*//; s/^ *//' out >$f
	awk -v f=$f '/_dl_runtime_resolve/ { resolved++ }
		/^lazy`_start$/ && resolved { whole++ }
		NF == 1 && /^[0-9]+$/ {
			n += resolved != 0
			ends += whole != 0
			resolved = whole = 0
		}
		END { print f, (n && n == ends ? "whole" : ends + 0 " of " n + 0) }' $f
done
