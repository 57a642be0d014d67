# tools/syscount.d: a program that makes a thousand calls that fail.
$DTRACE -s "$SRC/tools/syscount.d" -c 'calls -n 1000 5' >out 2>err
grep -q '^SYSCALL  *COUNT  *FAILED  *TIME(us)$' out
grep -q '^lseek  *1000  *1000  *[0-9][0-9]*$' out
awk '/^PROGRAM/ { programs = 1 } programs && $1 == "calls" { exit !($2 > 1000) }' out
$DTRACE -s "$SRC/tools/syscount.d" 1 >out 2>err
grep -q '^PROGRAM' out
