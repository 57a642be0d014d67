# tools/whowrites.d: each write of a variable, by which function, and what it is then; on aarch64
# what it was until then.
# @@needs: watchpoint
want='1 watched`one 2 watched`one 3 watched`one 13 watched`two 113 watched`two 2'
[ "$(uname -m)" != aarch64 ] ||
	want='0 watched`one 1 watched`one 2 watched`one 3 watched`two 13 watched`two 2'
$DTRACE -s "$SRC/tools/whowrites.d" -c 'watched functions' a.out:watched_count >out 2>err
[ "$(awk '/in thread/ { n = $1; threads += !seen[$4]++; next }
	n != "" { sub("[+].*", ""); printf("%d %s ", n, $1); n = "" }
	END { print threads }' out)" = \
	"$want" ]
