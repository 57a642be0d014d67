# tools/execs.d: programs that a shell starts, with their arguments.
$DTRACE -s "$SRC/tools/execs.d" -c "sh -c '/bin/true one two three; /bin/echo x'" >out 2>err
date="$(date +%Y) [A-Z][a-z][a-z] [ 0-9][0-9] [0-9:]*" n='[0-9][0-9]*'
grep -q "^$date  *$n  *$n /bin/true one two three\$" out
grep -q ' /bin/echo x  $' out
