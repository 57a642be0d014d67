# SPDX-License-Identifier: GPL-2.0-or-later
# Files of another user whose parts overlap: functions, of which each is as large as the code, and
# segments. What dtrace does with them itself has an end, too.
# @@needs: cmd:python3
# @@stderr: ^dtrace: warning: some probes of .*/over are omitted: they take longer to find than foreigntime$
. "$FIXTURE/background"
cat >make.py <<'E'
import struct
def head(kind, base, phnum, shoff=0, shnum=0):
    return b"\x7fELF\2\1\1" + b"\0" * 9 + struct.pack("<HHIQQQIHHHHHH", kind, 62, 1, base, 64,
        shoff, 0, 64, 56, phnum, 64, shnum, shnum and shnum - 1)
N, SIZE, base, to = 20000, 32768, 0x400000, 0x1000
text = b"\xb8\x22\0\0\0\x0f\x05\xeb\xf7".ljust(N + SIZE + 64, b"\x90") # pause() for ever
names, syms = b"\0", bytes(24)
for i in range(N):
    syms += struct.pack("<IBBHQQ", len(names), 0x12, 0, 1, base + to + 16 + i, SIZE)
    names += b"f%x\0" % i
shnames = b"\0.text\0.symtab\0.strtab\0.shstrtab\0"
parts = [(1, 1, 6, base + to, text, 0, 0), (7, 2, 0, 0, syms, 3, 24), (15, 3, 0, 0, names, 0, 0),
         (23, 3, 0, 0, shnames, 0, 0)]
out, heads = bytearray(to), bytes(64)
for name, kind, flags, addr, data, link, size in parts:
    heads += struct.pack("<IIQQQQIIQQ", name, kind, flags, addr, len(out), len(data), link, 1, 8,
                         size)
    out += data.ljust(len(data) + 7 & ~7, b"\0")
    if kind == 1:
        end = len(out)
out[:64] = head(2, base + to, 1, len(out), 5)
out[64:120] = struct.pack("<IIQQQQQQ", 1, 5, 0, base, base, end, end, 0x1000)
open("over", "wb").write(out + heads)
out = bytearray(0x100000)
out[:64] = head(3, 0, 4096)
for i in range(4096):
    out[64 + 56 * i:120 + 56 * i] = struct.pack("<IIQQQQQQ", 1, 5, 0, i << 12, i << 12, 0x100000,
                                                0x100000, 0x1000)
open("segments", "wb").write(out)
E
python3 make.py
cat >maps.c <<'E'
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
	int fd = open("../segments", O_RDONLY);

	for (unsigned long i = 0; i < 64; i++)
		mmap((char *)0x100000000000 + (i << 30), 4096, PROT_READ | PROT_EXEC,
		     MAP_PRIVATE | MAP_FIXED, fd, 0);
	puts("ready");
	fflush(stdout);
	for (int i = 0; i < 3000; i++) {
		getppid();
		usleep(10000);
	}
	return 0;
}
E
cc -o maps maps.c
chmod 755 . over maps
chmod 644 segments
PATH=$PWD:$PATH
# The limits are five times what is taken.
spent() { # COMMAND...
	begun=$(date +%s)
	timeout "$LIMIT" "$@"
	took=$(($(date +%s) - begun))
	[ $took -lt 8 ] || { echo "$took seconds"; exit 1; }
}
ready=0
begin_as 65534 over
spent $DTRACE -ln 'pid$target:over::return' -p $! >out
[ "$(wc -l <out)" -gt 1 ]
ready=1
begin_as 65533 maps
spent $DTRACE -qn 'syscall::getppid:entry /pid == $1/ { @[ustack()] = count(); }
	tick-500ms { exit(0); }' $! >out
grep -q 'maps`main' out
