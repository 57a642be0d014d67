# SPDX-License-Identifier: GPL-2.0-or-later
# -Z: a user whose file has more probes than can be enabled late takes half of them at most, and
# what is said of another file counts its probes only.
# @@needs: uprobe_multi
# @@stderr: ^dtrace: 2952 probes of /.*/many\.so could not be enabled: too many late probes in files of one user \(limit 2048\); name fewer in descriptions$
. "$FIXTURE/background"
timeout "$LIMIT" $DTRACE -Zqn 'zz*:::foo /probemod == "good.so"/ { printf("fires\n"); exit(0); }
	profile-1 { i++; } profile-1 /i > 12/ { exit(0); }' >fired 2>err &
dtrace=$!
sleep 1
begin hostile probes many.so 65534 5000 ''
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	[ -s err ] || sleep 0.5
done
begin hostile probes good.so 65533 1 ''
wait $dtrace
cat err >&2
[ "$(cat fired)" = fires ] || { echo "good.so: not enabled"; exit 1; }
[ "$(grep -c 'could not be enabled' err)" = 1 ]
