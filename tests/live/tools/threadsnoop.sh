# tools/threadsnoop.d: three threads of a program that starts later, with their function.
$DTRACE -s "$SRC/tools/threadsnoop.d" -c "sh -c 'doings forks; :'" >out 2>err
[ "$(grep -cE ' doings +(doings`[a-z_]+|0x[0-9a-f]+)$' out)" = 3 ]
