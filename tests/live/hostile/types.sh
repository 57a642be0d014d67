# SPDX-License-Identifier: GPL-2.0-or-later
# Type data (.BTF) that a user has spoilt: it is refused in one line, or what it refers to is void,
# and functions and their addresses remain. dtrace gets a copy that a process without rights makes.
# @@status: 0 1
# @@stderr: dtrace: failed to compile script .*
program=$(command -v typed_btf)
readelf -SW "$program" | sed -n \
	's/^.* \.BTF  *PROGBITS *[0-9a-f]* \([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \2/p' >place
set -- $(cat place)
[ $# = 2 ] || { echo "the compiler that built typed_btf makes no .BTF"; exit 77; }
at=$(printf %d 0x$1) len=$(printf %d 0x$2)
chmod 755 .
spoil() { # OFFSET in .BTF, BYTES as octal escapes
	cp "$program" ./typed
	printf "$2" | dd of=typed bs=1 seek=$((at + $1)) conv=notrunc 2>/dev/null
	chown 65534 typed
}
name() { # what the type of an argument leads to
	timeout 10 $DTRACE -qn 'pid$target:a.out:inner:entry { printf("%s\n", args->i->tag);
		exit(0); }' -c ./typed >out 2>&1 || [ $? = 1 ]
	sed -n 's/pid[0-9]*:/pid:/; s/.*in action list: //; s/^dtrace: .*line 1: //; /./p' out |
		grep -v '^first '
}
echo "== whole"
spoil 0 '\237\353'
name
echo "== no BTF"
spoil 0 '\001'
name
echo "== other byte order"
spoil 0 '\353\237'
name
echo "== sections past the end"
spoil 12 '\377\377\377\177'
name
echo "== records of no kind"
spoil 28 '\377\377\377\377'
name
echo "== strings that do not end"
spoil $((len - 1)) x
name
