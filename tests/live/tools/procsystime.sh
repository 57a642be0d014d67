# tools/procsystime.d: a thousand calls, whose total is at least the largest, by name of the
# program.
$DTRACE -s "$SRC/tools/procsystime.d" -c 'calls -n 1000 5' calls >out 2>err
grep -q '^CALL  *COUNT  *AVERAGE  *MAX  *TOTAL$' out
awk '$1 == "lseek" && $2 == 1000 && $5 >= $4 && $4 >= $3 { found = 1 } END { exit !found }' out
$DTRACE -s "$SRC/tools/procsystime.d" -c 'calls -n 1000 5' nothing >out 2>err
! grep -q lseek out || exit 1
