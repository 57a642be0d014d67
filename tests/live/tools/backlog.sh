# tools/backlog.d: a queue of seven places, taken from at once: five connections, each of which
# finds it empty.
# @@needs: kprobe
$DTRACE -s "$SRC/tools/backlog.d" -c 'tcp -b 7 -c 5' >out 2>err
grep -q '^  *7  *0  *5$' out
