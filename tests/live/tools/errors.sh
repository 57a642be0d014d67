# tools/errors.d: a missing directory, opened twice.
$DTRACE -s "$SRC/tools/errors.d" -c "sh -c 'cd /no/such/folder; cd /no/such/folder'" >out 2>err
grep -q '^sh  *chdir  *2  *[12]$' out || { cat out err; exit 1; }
