# tools/opensnoop.d: a file that is there and one that is not, by every call that opens.
$DTRACE -s "$SRC/tools/opensnoop.d" -c 'cat /etc/passwd /no/such/file' >>out 2>err
grep -q "^ *$(id -u)  *[0-9][0-9]* cat  *3  *0 0x[0-9a-f]*  */etc/passwd\$" out
grep -q ' cat  *-1  *2 0x[0-9a-f]*  */no/such/file$' out
$DTRACE -s "$SRC/tools/opensnoop.d" -c oldnew oldnew >out 2>err
grep -q ' oldnew  *-1  *2 0x402  */new$' out
grep -q ' oldnew  *-1  *2 0x[0-9a-f]*  */newest$' out
