# SPDX-License-Identifier: GPL-2.0-or-later
# -Z: files of a user's subordinate users are that user's: twelve of them, each with more probes
# than can be enabled late, leave those of another user's file. /etc/subuid is the test's own, in a
# mount namespace.
# @@needs: uprobe_multi cmd:unshare
# @@stderr: ^dtrace: [0-9]+ probes of /.*/many[0-9]*\.so could not be enabled: too many late probes in files of one user \(limit 2048\); name fewer in descriptions$
# @@stderr: ^dtrace: probes of 4 more files could not be enabled$
if [ "${1:-}" != inside ]; then
	exec unshare -m sh "$0" inside
fi
echo '65534:200000:65536' >subuid
made=
[ -e /etc/subuid ] || { touch /etc/subuid; made=/etc/subuid; }
mount --bind subuid /etc/subuid
. "$FIXTURE/background"
trap 'end_all
	[ -z "$made" ] || { umount /etc/subuid; rm "$made"; }' EXIT
times=${SLOW:+6} times=${times:-1}
timeout "$LIMIT" $DTRACE -Zqn 'zz*:::foo /probemod == "good.so"/ { printf("fires\n"); exit(0); }
	profile-1 { i++; } profile-1 /i > '$((15 * times))'/ { exit(0); }' >fired 2>err &
dtrace=$!
sleep 1
for n in 0 1 2 3 4 5 6 7 8 9 10 11; do
	begin hostile probes many$n.so 20000$n 3000 ''
done
for i in $(seq $((40 * times))); do
	[ "$(wc -l <err)" -ge 8 ] || sleep 0.2
done
begin hostile probes good.so 65533 1 ''
wait $dtrace
cat err >&2
[ "$(cat fired)" = fires ] || { echo "good.so: not enabled"; exit 1; }
