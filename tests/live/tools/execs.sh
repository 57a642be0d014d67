# tools/execs.d: programs that a shell starts, with their arguments.
$DTRACE -s "$SRC/tools/execs.d" -c "sh -c '/bin/true one two three; /bin/echo x'" >out 2>err
year=$(date +%Y)
grep -q "^$year [A-Z][a-z][a-z] [ 0-9][0-9] [0-9:]*  *[0-9][0-9]*  *[0-9][0-9]* /bin/true one two three\$" out
grep -q ' /bin/echo x  $' out
