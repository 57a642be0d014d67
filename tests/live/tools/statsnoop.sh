# tools/statsnoop.d: a file that is there and one that is not.
$DTRACE -s "$SRC/tools/statsnoop.d" -c 'ls -ld /etc/passwd /no/such' >out 2>err || :
grep -qE '^ *[0-9]+ ls +0 /etc/passwd$' out
grep -qE '^ *[0-9]+ ls +2 /no/such$' out
