# SPDX-License-Identifier: GPL-2.0-or-later
# -Z: a process maps 80 files which together have more probes than a user may have: eight files are
# reported, the others are counted.
# @@needs: uprobe_multi
# @@stderr: ^dtrace: .* of /.*/copy[0-9]*\.so could not be enabled: too many late probes in files of one user \(limit 2048\); name fewer in descriptions$
# @@stderr: ^dtrace: probes of [0-9]* more files could not be enabled$
pid=
trap 'for p in $pid; do kill $p && wait $p; done 2>/dev/null || :' EXIT
timeout "$LIMIT" $DTRACE -Zqn 'zz*:::foo {} tick-100ms { printf("traces\n"); }' >out 2>err &
dtrace=$!
until grep -q traces out; do sleep 0.05; done
hostile copies 80 65534 50 >ready &
pid=$!
until [ "$(grep -c 'copy.* could not be enabled' err)" -ge 8 ]; do sleep 0.1; done
sleep 0.5
kill $dtrace
wait $dtrace
cat err >&2
[ "$(grep -c 'copy.* could not be enabled' err)" = 8 ]
[ "$(tail -n 1 err)" = "dtrace: probes of 32 more files could not be enabled" ]
