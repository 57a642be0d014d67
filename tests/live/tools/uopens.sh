# tools/uopens.d: a file that is there and one that is not, and that it was the program that wanted
# them.
$DTRACE -s "$SRC/tools/uopens.d" -c 'cat /etc/passwd /no/such/file' >>out 2>err
grep -q '^cat  *3 cat`[^ ]*  */etc/passwd$' out
grep -q '^cat  *-1 cat`[^ ]*  */no/such/file$' out
