# tools/syscalls.d: a command that makes so many calls of one kind.
$DTRACE -s "$SRC/tools/syscalls.d" -c 'calls -n 1000' >out 2>err
grep -q '^SYSTEM CALL  *COUNT  *TOTAL(us)$' out
grep -q '^getppid  *1000  *[0-9][0-9]*$' out
grep -q '^how long they took, in ns$' out
