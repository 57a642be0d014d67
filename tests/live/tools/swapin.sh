# @@needs: kprobe cmd:losetup cmd:mkswap file:/sys/module/9pnet_virtio/refcnt
# tools/swapin.d, in a guest only: a process whose memory is swapped out and comes back.
. "$FIXTURE/swap"
$DTRACE -s "$SRC/tools/swapin.d" -c 'sh limited' >out 2>err
grep -qE '^TIME +PID COMM +PAGES$' out
awk '$6 == "doings" { n += $7 } END { exit !(n > 100) }' out
