# tools/capable.d: a change of owner, by a user with the capability and by one without it.
# @@needs: file:/sys/kernel/tracing/events/capability/cap_capable
touch made
$DTRACE -s "$SRC/tools/capable.d" -c 'chown 65534 made' >out 2>err
grep -qE " chown +chown +0\$" out
$DTRACE -s "$SRC/tools/capable.d" -c 'chown 0 made' nothing >out 2>err
! grep -q ' chown ' out || exit 1
