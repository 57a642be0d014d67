# SPDX-License-Identifier: GPL-2.0-or-later
# @@needs: cmd:objdump
# The types that a program uses, as CTF: of C into one file, of D into the other; each with what it
# reaches.
# @@status: 1
# @@stderr: ^dtrace: failed to write types to no/such/file: 
# @@stderr: ^dtrace: failed to compile script t\.d: line [0-9]+: in action list:
fail() { echo "$*"; exit 1; }
# Numbers and sizes are not what is asked for here.
shown() {
	objdump --ctf=.ctf "$1" | sed '1,/^  Types:/d; /^  Strings:/,$d; /^$/d' |
		sed 's/ -> .*//; s/ID 0x[0-9a-f]*: //; s/0x[0-9a-f]*: //
			s/ (format [^)]*)//; s/ (size [^)]*)//; s/ (aligned [^)]*)//; s/ *$//'
}
structs() {
	objdump --ctf=.ctf "$1" | sed -n 's/^    0x[0-9a-f]*: (kind 6) struct \([^ ]*\) .*/\1/p'
}

cat >t.d <<'D'
typedef struct inner { int x; unsigned a:3, b:5; struct inner *next; } inner_t;
enum colour { RED = 1, GREEN = 7 };
struct s { char c; inner_t in[2]; string name; enum colour col; union { long l; double d; };
	int (*fn)(int, char *); const short w; };
struct unused { int z; };
struct s v;
inner_t *w[string];
BEGIN { v.in[0].a = 1; self->t = (struct elsewhere *)0; trace(self->t == NULL);
	@[stack(3), sym(0)] = count(); trace(((task_t *)arg0)->weather); exit(0); }
D
$DTRACE -e -x btfpath="$BUILD/tests/fixture/kernel.btf" -x ksympath="$FIXTURE/kernel.syms" \
	-x ctypes=c.o -x dtypes=d.o -s t.d 2>err || {
	! grep -q 'without libctf' err || { echo "needs libctf"; exit 77; }
	fail "$(cat err)"
}
echo "== D"
shown d.o
echo "== C"
shown c.o

# Of the kernel that runs: a structure that leads to thousands, and D's view of it.
$DTRACE -e -x ctypes=c.o -x dtypes=d.o \
	-n 'BEGIN { trace(curthread->tgid); trace(curpsinfo->pr_pid); }
	io:::start { trace(args[2]->fi_pathname); }'
structs c.o >c
structs d.o >d
grep -qx task_struct c && grep -qx mm_struct c || fail "C: $(head c)"
! grep -qx psinfo c || fail "C has D's"
grep -qx psinfo d && grep -qx fileinfo d && ! grep -q 'task_struct\|dentry' d || fail "D: $(cat d)"
[ "$(wc -l <c)" -gt 1000 ] || fail "C has $(wc -l <c)"

# What only sizeof and offsetof name.
$DTRACE -e -x ctypes=c.o \
	-n 'BEGIN { trace(sizeof(struct timespec64) + offsetof(struct list_head, prev)); }'
structs c.o | sort

# A file that cannot be written.
$DTRACE -e -x dtypes=no/such/file -n 'BEGIN { exit(0); }' 2>err && fail "written"
grep -qx 'dtrace: failed to write types to no/such/file: No such file or directory' err ||
	fail "$(cat err)"
