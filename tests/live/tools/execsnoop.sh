# tools/execsnoop.d: programs that a shell starts, with all their arguments; then those of one name
# only.
$DTRACE -s "$SRC/tools/execsnoop.d" \
	-c "sh -c '/bin/true one two three four; exec /bin/echo x'" >out 2>err
year=$(date +%Y)
grep -q "^$year [A-Z][a-z][a-z] [ 0-9][0-9] [0-9:]* *$(id \
	-u) *[0-9][0-9]* *[0-9][0-9]* true  *.*/\{0,1\}true one two three four\$" out
grep -q ' echo  *.*echo x$' out
$DTRACE -s "$SRC/tools/execsnoop.d" -c "sh -c '/bin/true; exec /bin/echo x'" true >out 2>err
grep -q ' true ' out
! grep -q ' echo ' out || exit 1
