# tools/readlat.d: every read is in the distributions.
$DTRACE -s "$SRC/tools/readlat.d" \
	-c 'dd if=/dev/zero of=/dev/null bs=4k count=2000 status=none' >out 2>err
grep -q '^  dd  *$' out
reads=$(awk '/\|/ { n += $NF } END { print n }' out)
[ "$reads" -ge 2000 ] && [ "$reads" -lt 2020 ]
