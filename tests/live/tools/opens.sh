# tools/opens.d: a file that is there and one that is not.
$DTRACE -s "$SRC/tools/opens.d" -c 'cat /etc/passwd /no/such/file' >>out 2>err
grep -q '^ *[0-9][0-9]* cat  *3  *0 /etc/passwd$' out
grep -q '^ *[0-9][0-9]* cat  *-1  *2 /no/such/file$' out
