# SPDX-License-Identifier: GPL-2.0-or-later
# Programs of another user that name a FIFO as what has more of their debugging information: no
# process of dtrace's opens it, and those that name none have their lines and types.
# @@needs: cmd:gcc cmd:addr2line cmd:objcopy cmd:mkfifo cmd:python3
# @@status: 0 1
# @@stderr: ^dtrace: .*pid[0-9]*:debuglink:work:entry are not known: its file has no type data.*
# @@stderr: ^dtrace: .*pid[0-9]*:split:work:entry are not known: .* lack this function.*
fail() { echo "$*"; exit 1; }
cat >p.c <<'C'
#include <unistd.h>
struct s { int a; };
__attribute__((noinline)) int work(struct s *s) { return getppid() + s->a; }
int main(void)
{
	struct s s = {7};
	return work(&s) == -1;
}
C
chmod 755 .
mkdir .debug
mkfifo -m 666 pipe .debug/pipe
gcc -g -o good p.c
# Relative to the directory of the file, which is /proc/self/fd for addr2line.
up=../../../..$PWD/pipe
while [ $((${#up} % 4)) != 3 ]; do up=../$up; done
printf '%s\0\1\2\3\4' "$up" >link
printf '%s\0%020d' "$up" 0 >altlink
gcc -g -gdwarf-4 -dA -S -o alt.s p.c
# DW_FORM_strp becomes DW_FORM_GNU_strp_alt: a string that is in the other file
sed -i '/(DW_AT_producer)/{n;s/ 0xe\>/ 0x1f21/;s/\t0xe\>/\t0x1f21/}' alt.s
gcc -o alt alt.s
objcopy --remove-section .debug_info --add-section .gnu_debuglink=link good debuglink
objcopy --add-section .gnu_debugaltlink=altlink alt altlink_program
gcc -g -gsplit-dwarf -c -o pipe.o p.c
rm -f pipe.dwo
mkfifo -m 666 pipe.dwo
gcc -o split pipe.o
chown 65534 good debuglink altlink_program split
# Succeeds as soon as something opens one to read.
cat >writer.py <<'PY'
import errno, os, time
while True:
    for name in ("pipe", ".debug/pipe", "pipe.dwo"):
        try:
            os.open(name, os.O_WRONLY | os.O_NONBLOCK)
            print(name, "was opened", flush=True)
            os._exit(1)
        except OSError as e:
            if e.errno != errno.ENXIO:
                raise
    time.sleep(0.002)
PY
python3 writer.py >opened &
writer=$!
for program in good debuglink altlink_program split; do
	timeout "$LIMIT" $DTRACE -q -x srclines \
		-n 'pid$target:a.out:work:entry { uaddr(uregs[R_PC]); }' \
		-c ./$program >lines.$program 2>err.$program || fail "$program: $(cat err.$program)"
	case $program in split | debuglink) status=1 ;; *) status=0 ;; esac
	got=0
	timeout "$LIMIT" $DTRACE -q -n 'pid$target:a.out:work:entry { trace(args[0]->a); }' \
		-c ./$program >types.$program 2>err.$program || got=$?
	[ $got = $status ] || fail "types of $program: $got $(cat types.$program err.$program)"
done
for program in good altlink_program; do
	grep -q 'p\.c:3' lines.$program || fail "lines: $(cat lines.$program)"
	[ "$(cat types.$program)" = 7 ] || fail "types: $(cat types.$program)"
done
kill $writer 2>/dev/null || :
wait $writer 2>/dev/null || :
[ ! -s opened ] || fail "$(cat opened)"
