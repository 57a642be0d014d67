# SPDX-License-Identifier: GPL-2.0-or-later
# Names of providers: under a pattern the process's own (probeprov, -l), and p*d123 is pid123 and
# pyramid123. argN in the order that the object's declaration says. A semaphore that one of several
# notes at an instruction has is raised for all of them.
# @@needs: cmd:gcc
cat >pyramid.d <<'D'
provider pyramid { probe entry(int a, char *b) : (char *b, int a); probe other(); };
D
cat >p.c <<'C'
#include <stdio.h>
#include "pyramid.h"
unsigned short one_semaphore __attribute__((section(".probes")));
#define NOTE(name, semaphore) \
	".pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n" \
	".4byte 992f-991f, 994f-993f, 3\n991: .asciz \"stapsdt\"\n992: .balign 4\n" \
	"993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte " semaphore "\n" \
	".asciz \"place\"\n.asciz \"" name "\"\n.asciz \"\"\n994: .balign 4\n.popsection\n"
int main(void)
{
	char text[] = "text"; /* in memory for sure */

	__asm__ volatile("" :: "r"(text) : "memory");
	PYRAMID_ENTRY(7, text);
	if (one_semaphore)
		__asm__ volatile("990: nop\n" NOTE("one", "0") NOTE("one", "one_semaphore")
				 NOTE("two", "0"));
	return PYRAMID_OTHER_ENABLED();
}
C
$DTRACE -h -s pyramid.d
gcc -O1 -c p.c
$DTRACE -G -s pyramid.d p.o
gcc -o p p.o pyramid.o
names() { sed "s/\(pid\|pyramid\)[0-9][0-9]*/\1PID/; s/^ *[0-9][0-9]* *//; s/  */ /g"; }
$DTRACE -qn 'p*d$target::main:entry {
	printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename); }' -c ./p | names
$DTRACE -qn 'pyramid*:p::entry { printf("%s %d %s %d %s %d\n", probeprov, probeprov ==
	strjoin("pyramid", lltostr(pid)), stringof(arg0), arg1, args[0], args[1]); }' -c ./p | names
$DTRACE -ln 'pyramid*:p::entry' -c ./p | names
$DTRACE -qn 'place$target:::two { printf("%s\n", probename); }' -c ./p
# An address without a file's name is one of the program's, not of each library's, too.
$DTRACE -qn 'p*d$target::-:'"$(nm p |
	sed -n 's/^0*\([0-9a-f]*\) T main$/\1/p')"' { @[probemod, probefunc] = count(); }
	END { printa("%s %s %@d\n", @); }' -c ./p
