# Faults that repeat: three messages for a clause and probe, then their number; ERROR clauses and
# JSON are of all.
# @@stderr: ^dtrace: error in clause [123] for probe ID .*: (invalid address \(0x(8|10)\)|[0-9]+ more)
prog='BEGIN { trace(*(int *)8); } BEGIN { trace(*(int *)16); }
	profile-1ms { trace(*(int *)8); } ERROR { @ = count(); } tick-1500ms { exit(0); }'
$DTRACE -qx cpu=0 -n "$prog" >out 2>err
full=$(grep -c 'profile-1ms): invalid address (0x8) at column 22 of line 2$' err)
[ "$full" = 3 ]
# One line a second, and the rest at the end; on a slow machine that is later.
lines=$(grep -c 'profile-1ms): [0-9]* more$' err)
[ "$lines" -ge 2 ] && [ "$lines" -le 6 ]
[ "$(grep -c 'dtrace:::BEGIN): invalid address' err)" = 2 ]
more=$(($(sed -n 's/.*profile-1ms): \([0-9]*\) more$/\1/p' err | paste -sd+)))
[ "$(tr -d ' \n' <out)" = $((full + more + 2)) ]
$DTRACE -qx cpu=0 -x faultlimit=0 -n "$prog" >out 2>err
[ "$(grep -c 'invalid address' err)" = "$(tr -d ' \n' <out)" ]
! grep 'more$' err || exit 1
$DTRACE -qx cpu=0 -x faultlimit=1 -x oformat=json -n "$prog" >out 2>err
[ "$(grep -c 'profile-1ms): invalid address' err)" = 1 ]
errors=$(grep -c '"type":"error"' out)
grep -q "\"type\":\"aggregation\".*\"value\":$errors}" out
