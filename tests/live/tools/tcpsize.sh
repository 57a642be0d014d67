# tools/tcpsize.d: fifty sends of a thousand bytes.
# @@needs: kprobe
$DTRACE -s "$SRC/tools/tcpsize.d" -c 'tcp -n 50 -s 1000' >out 2>err
grep -q '^ *512 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 50 *$' out
