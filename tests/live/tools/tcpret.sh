# tools/tcpret.d: fifty sends that went and one on a connection that was shut (EPIPE).
# @@needs: kprobe
$DTRACE -s "$SRC/tools/tcpret.d" -c 'tcp -n 50 -f' >out 2>err
grep -q '^took bytes  *50$' out
grep -q '^failed  *1$' out
grep -q '^errno 32  *1$' out
