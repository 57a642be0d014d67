# tools/killsnoop.d: a signal that reaches a process, and one to a process that there is not.
$DTRACE -s "$SRC/tools/killsnoop.d" \
	-c "sh -c 'sleep 9 & echo \$! >pid; kill -15 \$!; wait; kill -1 4999999'" >out 2>err
grep -q " sh  *15  *$(cat pid)  *0\$" out
grep -q ' sh  *1 4999999  *3$' out
