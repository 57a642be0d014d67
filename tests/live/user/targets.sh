# SPDX-License-Identifier: GPL-2.0-or-later
# Processes and files of all kinds: static, not position independent, stripped with .gnu_debugdata,
# odd names, other namespaces, several at once, libraries that came later; and what cannot be is
# said.
# @@needs: cmd:gcc cmd:strip cmd:objcopy cmd:xz cmd:unshare
# @@status: 1
# @@stderr: ^dtrace: failed to grab pid [0-9]+: No such process
# @@stderr: ^dtrace: invalid probe specifier
cat >p.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) int work(int n) { __asm__ volatile(""); return n * 2; }
int main(int argc, char **argv)
{
	char c;
	int n = argc > 1 ? atoi(argv[1]) : 1, wait = argc > 2;

	if (wait && read(0, &c, 1) < 0)
		return 1;
	return !work(n);
}
C
try() { # NAME COMMAND
	$DTRACE -qn 'pid$target:a.out:work:entry { printf("'"$1"' %d", arg0); }
		pid$target:a.out:work:return { printf(" %d\n", arg1); }' -c "$2" | grep .
}
gcc -O1 -o pie p.c && try pie ./pie
gcc -O1 -no-pie -o nopie p.c && try nopie ./nopie
gcc -O1 -static -o static p.c 2>err && try static ./static || cat err
mkdir 'a b:c' && cp pie 'a b:c/d e' && try odd "'a b:c/d e'"
# What distributions do: functions in .gnu_debugdata only.
nm -f posix pie | awk '$2 == "t" || $2 == "T" { print $1 }' >names
objcopy --only-keep-debug pie mini && objcopy -S --keep-symbols=names mini
xz mini && strip -o stripped pie && objcopy --add-section .gnu_debugdata=mini.xz stripped mdebug &&
	try debugdata ./mdebug
strip -o bare pie
$DTRACE -qn 'pid$target:bare:work:entry {}' -c ./bare 2>&1 | sed 's/.*probes: //; s/[0-9][0-9]*/N/g'

# Two running ones by number, and one in its own namespaces under another name; each goes on after
# dtrace has ended.
mkfifo gate
# What runs in the background is this shell for a while.
begun() { while [ "$(cat "/proc/$1/comm")" != "$2" ]; do sleep 0.1; done; }
./pie 5 w <gate & a=$!
./nopie 6 w <gate & b=$!
unshare -m -p -f --mount-proc sh -c "mount --bind pie nopie && exec ./nopie 7 w" <gate & c=$!
exec 3>gate
begun $a pie
begun $b nopie
while ! inner=$(cat /proc/$c/task/$c/children) || [ -z "$inner" ] ||
	! grep -q nopie /proc/${inner% }/comm; do
	sleep 0.1
done
inner=${inner% }
$DTRACE -qn "BEGIN { printf(\"ready\n\"); }
	pid$a:a.out:work:entry, pid$b::work:entry, pid$inner::work:entry {
	@[arg0, probemod, pid == $a || pid == $b || pid == $inner] = count(); }
	END { printa(\"%d %s %d %@d\n\", @); }" -p $a -p $b -p "$inner" >out & d=$!
while ! grep -q ready out; do kill -0 $d; sleep 0.1; done
printf 'xxx' >&3
wait $d || true
sort out | grep .

# What is killed or ended ends dtrace; what dtrace leaves goes on.
./pie 1 w <gate & a=$!
begun $a pie
$DTRACE -qn 'BEGIN { printf("ready\n"); } pid$target::work:entry {}' -p $a >out & d=$!
while ! grep -q ready out; do kill -0 $d; sleep 0.1; done
kill -9 $a
wait $d || true
echo killed
./pie 1 w <gate & a=$!
begun $a pie
$DTRACE -qn 'BEGIN { printf("ready\n"); }
	pid$target::work:entry { printf("not this\n"); }' -p $a >out & d=$!
while ! grep -q ready out; do kill -0 $d; sleep 0.1; done
kill -TERM $d
wait $d || true
kill -0 $a && echo 'left running'
printf x >&3
wait $a
$DTRACE -qn 'pid$target::work:entry { printf("after exec\n"); exit(0); }' -c "sh -c 'exec ./pie'" \
	2>err || sed -n 's/process [0-9]* ([a-z]*)/process N (SHELL)/
	s/.*\(no function.*\)/\1/p' err

says() {
	$DTRACE -qn "$1" -c ./pie 2>&1 | sed 's/[0-9][0-9][0-9]*/N/g; s/.*probes: //' | head -1
}
says 'pid999999999::work:entry {}'
says 'pid$target:libnone:work:entry {}'
says 'pid$target:a.out:wrok:entry {}'
says 'pid$target:libc:memcpy_none:entry {}'
says 'nfsv$target:::op-read-start {}'
says 'nfsv999999999:::op-read-start {}'
$DTRACE -qn 'pid$target:bare::entry {}' -c ./bare 2>&1 |
	sed 's/[0-9][0-9][0-9]*/N/g; s/.*probes: //'
echo >empty && objcopy --add-section .go.buildinfo=empty pie go
$DTRACE -x pidret=uretprobe -qn 'pid$target:go:work:return {}' -c ./go 2>&1 |
	sed 's/[0-9][0-9]*/N/g; s/.*probes: //'
$DTRACE -qn 'pid$target:go:work:entry { printf("go %d\n", arg0); }' -c ./go
$DTRACE -qn 'pid$target:go:work:return { printf("go returns %d\n", arg1); }' -c ./go
