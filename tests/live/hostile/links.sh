# SPDX-License-Identifier: GPL-2.0-or-later
# Programs of another user that name a FIFO as what has more of their debugging information: no
# process of dtrace's opens it, and those that name none have their lines and types.
# @@needs: cmd:gcc cmd:addr2line cmd:objcopy cmd:mkfifo cmd:python3
# @@status: 0 1 signal
# @@stderr: ^dtrace: .*
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
printf 'pipe\0\0\0\0\1\2\3\4' >link
printf '%s\0%020d' "$PWD/pipe" 0 >altlink
objcopy --remove-section .debug_info --add-section .gnu_debuglink=link good debuglink
objcopy --add-section .gnu_debugaltlink=altlink good altlink_program
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
	timeout "$LIMIT" $DTRACE -q -n 'pid$target:a.out:work:entry { trace(args[0]->a); }' \
		-c ./$program >types.$program 2>>err.$program || :
done
grep -q 'p\.c:3' lines.good || fail "lines: $(cat lines.good)"
grep -q 7 types.good || fail "types: $(cat types.good err.good)"
kill $writer 2>/dev/null || :
wait $writer 2>/dev/null || :
[ ! -s opened ] || fail "$(cat opened)"
