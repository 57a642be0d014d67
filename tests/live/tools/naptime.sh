# tools/naptime.d: naps of a shell's child, relative ones.
$DTRACE -s "$SRC/tools/naptime.d" -c "sh -c 'sleep 0.25; sleep 1; :'" >out 2>err
grep -qE ' sh +[0-9]+ sleep +0\.250$' out
grep -qE ' sh +[0-9]+ sleep +1\.000$' out
