# tools/rwsnoop.d: reads and writes of a file, of which the last read is at its end.
$DTRACE -s "$SRC/tools/rwsnoop.d" -c 'dd if=/etc/passwd of=copy bs=1M' >out 2>err
size=$(wc -c </etc/passwd)
grep -qE "^ *$(id -u) +[0-9]+ dd +R +$size /etc/passwd\$" out
grep -qE "^ *$(id -u) +[0-9]+ dd +W +$size $PWD/copy\$" out
grep -qE ' dd +R +0 /etc/passwd$' out
$DTRACE -s "$SRC/tools/rwsnoop.d" -c 'dd if=/etc/passwd of=copy bs=1M' cat >out 2>err
! grep -q passwd out || exit 1
