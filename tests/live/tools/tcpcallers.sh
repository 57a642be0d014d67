# tools/tcpcallers.d: one way leads to send(), through the sockets.
# @@needs: kprobe
$DTRACE -s "$SRC/tools/tcpcallers.d" -c 'tcp -n 50' >out 2>err
grep -q 'vmlinux`.*send' out
[ "$(awk 'NF == 1 && $1 ~ /^[0-9]+$/ { n += $1 } END { print n }' out)" = 50 ]
