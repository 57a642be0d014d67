# tools/offwake.d: each time that pong waited is there, in read(), woken by ping's write().
$DTRACE -s "$SRC/tools/offwake.d" -c 'pingpong 20' >out
awk '
	/^$/ { where = 0; next }
	/^[^ ]/ { name = $1; waits = wakes = ""; where = 0; next }
	/^    waits in/ { where = 1; next }
	/^    woken by/ { where = 2; next }
	/\|/ { if (name == "pong" && waits ~ / [a-z_]*pipe_read / &&
		wakes ~ / [a-z_]*pipe_write /) n += $NF; where = 0; next }
	where == 1 { sub(/^ *vmlinux`/, ""); sub(/\+0x.*/, ""); waits = waits " " $0 " " }
	where == 2 { sub(/^ *vmlinux`/, ""); sub(/\+0x.*/, ""); wakes = wakes " " $0 " " }
	where == 1 && waits !~ /^ __schedule / { print "waits in" waits }
	where == 2 && wakes !~ /^ try_to_wake_up / { print "woken by" wakes }
	END { if (n < 10 || n > 20) print n " waits of pong" }' out >wrong
[ ! -s wrong ] || { cat wrong out; exit 1; }
