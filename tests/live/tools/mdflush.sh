# tools/mdflush.d: flushes of a block device that is none of md's are not shown; those of md's are,
# with a table in place of an array.
$DTRACE -s "$SRC/tools/mdflush.d" -c "sh -c 'echo made >made; sync -f made'" >out 2>err
[ "$(grep . out)" = "TIME                    PID COMM         DEVICE" ]
cat >table <<'END'
fire sdt:block::block_bio_queue pid=7 execname="sync" arg0=0x90007f arg3="FF"
fire sdt:block::block_bio_queue pid=7 execname="sync" arg0=0x90007f arg3="WS"
fire sdt:block::block_bio_queue pid=8 execname="dd" arg0=0x900000 arg3="FWS"
fire sdt:block::block_bio_queue pid=8 execname="dd" arg0=0xfe00000 arg3="FWS"
output
TIME                    PID COMM         DEVICE
1970 Jan  1 00:00:00      7 sync         md127
1970 Jan  1 00:00:00      8 dd           md0
END
TZ=UTC $DTRACE -x test=table -s "$SRC/tools/mdflush.d"
