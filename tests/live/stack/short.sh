# SPDX-License-Identifier: GPL-2.0-or-later
# Whole stacks in processes that live for milliseconds: compile jobs and shells, started by the
# command of -c and by another process. Tables are made for a file, so that only the first process
# of a file lacks them: what counts is the second build. Otherwise a tenth of the stacks is whole.
# @@needs: read_kernel cmd:gcc cmd:make cmd:setsid
case $(uname -m) in
x86_64 | aarch64) ;;
*) echo 'the tables are for x86-64 and aarch64'; exit 77 ;;
esac
# On an emulated machine jobs take many times as long, and samples, too.
FILES=12 rate=997
# arm64's CPUs have no name there.
[ "$(uname -m)" = x86_64 ] && ! grep -q 'QEMU TCG' /proc/cpuinfo || FILES=3 rate=97
{
	printf 'OBJS ='
	i=0
	while [ $i -lt $FILES ]; do printf ' f%d.o' $i; i=$((i + 1)); done
	printf '\nall: prog\nprog: $(OBJS)\n\t@gcc -o $@ $(OBJS)\n'
	printf '%%.o: %%.c\n\t@for i in $<; do test -f "$$i"; done; gcc -O2 -c -o $@ $<\n'
	printf 'clean:\n\t@rm -f *.o prog\n'
} >Makefile
i=0
while [ $i -lt $FILES ]; do
	cat >f$i.c <<C
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
int g$i(int n, char **v)
{
	char buf[100] = "";
	for (int i = 0; i < n; i++) {
		snprintf(buf, sizeof(buf), "%d %s", i, v[i]);
		if (strlen(buf) > 20)
			puts(buf);
		else if (*buf == 'x')
			abort();
	}
	return (int)strtol(buf, NULL, 10);
}
C
	i=$((i + 1))
done
echo 'int main(int n, char **v) { return g0(n, v); }' >>f0.c
# Of samples in user mode: those that go back to where a program begins. Of the dynamic linker only
# the stack's end has no name (_dl_start_user, of which its file has no symbol).
share() { # FILE PERCENT
	awk -v want="$2" '
	function count() {
		if (last ~ /^ld-linux[^`]*`0x/) whole = 1
		all += n != 0
		reach += n && whole
		n = whole = 0
		last = ""
	}
	/`|^ *0x/ { n++; last = $1; if (last ~ /`(main|_start|__libc_start|_dl_start)/) whole = 1 }
	$1 == "stack" { count() }
	$1 == "cleaned" { count(); cleaned = 1; all = reach = 0 }
	END {
		count()
		share = all ? 100 * reach / all : 0
		printf "%d of %d stacks are whole (%.1f%%)\n", reach, all, share
		exit !(cleaned && all > 100 && share >= want)
	}' "$1" >result || { cat result; tail -200 "$1"; exit 1; }
}
jobs='make -s -j2 && make -s clean && make -s -j2'
$DTRACE -qn 'profile-'$rate' /progenyof($target) && arg1/ { printf("stack\n"); ustack(100); }
	proc:::exec-success /progenyof($target) && execname == "rm"/ { printf("cleaned\n"); }' \
	-c "sh -c '$jobs'" >out
share out 90
make -s clean
mkfifo go
setsid sh -c 'echo $$ >sid; read x <go; '"$jobs" &
while [ ! -s sid ]; do sleep 0.1; done
$DTRACE -qn 'BEGIN { system("echo >go"); }
	profile-'$rate' /curpsinfo->pr_sid == $1 && arg1/ { printf("stack\n"); ustack(100); }
	proc:::exec-success /curpsinfo->pr_sid == $1 && execname == "rm"/ { printf("cleaned\n"); }
	proc:::exit /pid == $1/ { exit(0); }' -w "$(cat sid)" >out
wait
share out 90
