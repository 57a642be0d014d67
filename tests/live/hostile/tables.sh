# SPDX-License-Identifier: GPL-2.0-or-later
# A user's process maps more unwinding tables than there is memory for: of small files with two
# functions 4 GB apart, and of files with many rows. The stacks of root's process, which comes
# later, go through code without frame pointers up to main().
# @@needs: cmd:python3 cmd:gcc cmd:setpriv
# @@stderr: ^dtrace: warning: user stacks through .* and others may be incomplete: unwind tables exceed the share of user 65534 of unwindsize; try a larger -x unwindsize
[ "$(uname -m)" = x86_64 ] || { echo 'the files are for x86-64'; exit 77; }
. "$FIXTURE/background"
cat >make.py <<'E'
import struct
def entry(body):
    body += bytes(-len(body) % 8)
    return struct.pack("<I", len(body)) + body
def write(path, functions):
    frame = entry(struct.pack("<I", 0) + b"\1zR\0\1\x78\x10\1\0\x0c\7\x08\x90\1")
    for addr, code in functions:
        frame += entry(struct.pack("<IQQB", len(frame) + 4, addr, 1 << 20, 0) + code)
    frame += bytes(4)
    names = b"\0.eh_frame\0.shstrtab\0"
    heads = 4096 + len(frame) + len(names) + 7 & ~7
    out = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, heads, 0, 64,
        56, 1, 64, 3, 2)
    out += struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, 1 << 32, 1 << 32, 4096)
    out = out.ljust(4096, b"\0") + frame + names
    out = out.ljust(heads, b"\0") + bytes(64)
    for name, kind, off, size in (1, 1, 4096, len(frame)), (11, 3, 4096 + len(frame), len(names)):
        out += struct.pack("<IIQQQQIIQQ", name, kind, 2, off, off, size, 0, 0, 1, 0)
    open(path, "wb").write(out)
for i in range(40):
    write("far%d" % i, [(8192, b""), ((1 << 32) - (2 << 20), b"")])
rows = b"".join(b"\x41\x0e" + bytes([8 + 8 * (i % 14)]) for i in range(1500))
for i in range(120):
    write("rows%d" % i, [(8192, rows)])
E
python3 make.py
cat >spin.c <<'E'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char path[64];

	for (int i = 0; argc > 2 && i < atoi(argv[2]); i++) {
		snprintf(path, sizeof(path), "../%s%d", argv[1], i);
		if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, open(path, O_RDONLY), 0) ==
		    MAP_FAILED)
			return 1;
	}
	puts("ready");
	fflush(stdout);
	for (int i = 0; i < 4000; i++) {
		getppid();
		usleep(5000);
	}
	return 0;
}
E
cat >kept.c <<'E'
#include <stdlib.h>
#include <unistd.h>
static int compare(const void *a, const void *b)
{
	getppid();
	usleep(5000);
	return *(const int *)a - *(const int *)b;
}
int main(void)
{
	for (int i = 0; i < 300; i++) {
		int v[] = {2, 1};

		qsort(v, 2, sizeof(v[0]), compare);
	}
	return 0;
}
E
flags='-O2 -fomit-frame-pointer -fno-optimize-sibling-calls -fasynchronous-unwind-tables'
gcc $flags -o spin spin.c
gcc $flags -o kept kept.c
chmod 755 . spin
chmod 644 far* rows*
PATH=$PWD:$PATH
stacks() { # PID SIZE: of root's process, those that are whole and all, while a user's runs
	timeout "$LIMIT" $DTRACE -x unwindsize="$2" -qn 'syscall::getppid:entry
		/pid == $1 || execname == "kept"/ { @[execname, ustack(20)] = count(); }
		syscall::exit_group:entry /execname == "kept"/ { exit(0); }
		tick-2s { ready++; } tick-2s /ready == 1/ { printf("ready\n"); }' "$1" >out 2>err &
	dtrace=$!
	until grep -q ready out; do sleep 0.1; done
	./kept
	wait $dtrace
	awk 'NF == 1 && $1 == "kept" { is = 1 } NF == 1 && $1 == "spin" { is = 0 }
		$1 ~ /`main(\+|$)/ { main = 1 }
		NF == 1 && $1 ~ /^[0-9]+$/ { if (is) { all += $1; whole += main * $1 } main = 0 }
		END { print whole + 0, all + 0 }' out
}
check() { # WHAT WHOLE ALL
	[ "$3" -gt 100 ] && [ "$2" -gt $(($3 * 3 / 4)) ] ||
		{ echo "$1: $2 of $3 stacks are whole"; cat out err; exit 1; }
}
begin_as 65534 spin far 40
check 'far rows' $(stacks $! 4m)
[ ! -s err ] || { cat err; exit 1; }
end_all
pids=
rm -r d65534
begin_as 65534 spin rows 120
check 'many rows' $(stacks $! 512k)
[ -s err ] || { echo 'nothing was reported'; exit 1; }
cat err >&2
