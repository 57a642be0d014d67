# SPDX-License-Identifier: GPL-2.0-or-later
# -x aggexpire: keys that had no event for that time are removed and counted; others keep their
# totals.
# @@stderr: ^dtrace: [0-9]* keys of aggregations had no event for the time of -x aggexpire and were removed$
cat >keys.d <<'D'
tick-20ms { @gone[n++] = count(); @kept["kept"] = count(); @total = count(); }
tick-1500ms { printa("gone %d\n", @gone); printf("last %d\n", n); exit(0); }
END { printa("%s %@d\n", @kept); printa("total %@d\n", @total); trunc(@gone); }
D
$DTRACE -x aggrate=20ms -x aggexpire=300ms -qs keys.d >got 2>err
awk '$1 == "gone" { if (!n++ || $2 + 0 < least) least = $2 + 0 } $1 == "last" { last = $2 }
	$1 == "kept" { kept = $2 } $1 == "total" { total = $2 }
	END { print (n >= 10 && n < 30), (least > last - 30), (kept >= last), (total == kept) }' got
sed -n 's/.*: \([0-9]*\) keys.*/\1/p' err | awk '{ print ($1 > 30 && $1 < 75) }'
# Without it none is.
$DTRACE -x aggrate=20ms -qs keys.d | grep -c gone | awk '{ print ($1 > 60) }'
