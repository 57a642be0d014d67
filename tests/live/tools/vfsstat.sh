# tools/vfsstat.d: what the workload did, over all its seconds; a number of seconds is as many
# lines.
$DTRACE -s "$SRC/tools/vfsstat.d" -c 'doings files' >out 2>err
grep -q '^TIME  *READ/s  *WRITE/s  *FSYNC/s  *OPEN/s  *CREATE/s  *KB READ  *KB WRITTEN$' out
awk 'NF == 11 { r += $5; w += $6; f += $7; o += $8; c += $9; out += $11 }
	END { exit !(r >= 21 && w == 10 && f == 1 && o == 2 && c == 1 && out <= 9) }' out
[ "$($DTRACE -s "$SRC/tools/vfsstat.d" 1 -c 'sleep 5' 2>err | grep -c ':')" = 1 ]
