# tools/statsnoop.d: a file that is there and one that is not, and the file of a descriptor.
$DTRACE -s "$SRC/tools/statsnoop.d" -c 'ls -ld /etc/passwd /no/such' >out 2>err || :
grep -qE '^ *[0-9]+ ls +0 /etc/passwd$' out
grep -qE '^ *[0-9]+ ls +2 /no/such$' out
$DTRACE -s "$SRC/tools/statsnoop.d" -c 'stat -L - </etc/passwd' >out 2>err || :
grep -qE '^ *[0-9]+ stat +0 /etc/passwd$' out
