# tools/hotuser.d: a program that spins, in a function of its own.
$DTRACE -s "$SRC/tools/hotuser.d" -c 'doings spins' >out 2>err
[ "$(awk '$1 == "doings" { n += $3 } END { print n }' out)" -ge 20 ]
