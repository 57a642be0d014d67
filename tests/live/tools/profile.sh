# tools/profile.d: a program that spins, with its stack, also as the input of a flame graph.
$DTRACE -s "$SRC/tools/profile.d" -c 'doings spins' >out 2>err
grep -q '^  doings *$' out
grep -q '^ *doings`main' out
$DTRACE -x oformat=folded -s "$SRC/tools/profile.d" -c 'doings spins' >out 2>err
awk '/^doings;.*doings`main/ { n += $NF } END { exit n < 5 }' out
