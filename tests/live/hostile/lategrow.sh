# SPDX-License-Identifier: GPL-2.0-or-later
# -Z: files with very many static probes, of which the first takes the share of this user. Of the
# others dtrace keeps nothing.
# @@needs: uprobe_multi
# @@stderr: ^dtrace: at least [0-9]* probes of /.*/late[0-7]\.so could not be enabled: too many late probes in files of one user \(limit 2048\)
# @@stderr: ^dtrace: pid [0-9]* has exited$
# @@stderr: ^dtrace: warning: symbols or probes of some files of other users are omitted: /.*
pids=
trap 'for p in $pids; do kill $p && wait $p; done 2>/dev/null || :' EXIT
sleep 300 &
target=$!
pids=$target
hostile rss timeout "$LIMIT" $DTRACE -x foreignsize=64m -x foreigntime=60s -Zqn 'zz*:::foo' \
	-p $target >list 2>err &
dtrace=$!
sleep 1
i=0
while [ $i -lt 8 ]; do
	: >out$i
	hostile probes "late$i.so" 65534 60000 '' >out$i &
	pids="$pids $!"
	until grep -q ready out$i; do sleep 0.02; done
	i=$((i + 1))
done
n=0
until [ "$(grep -c "$PWD/late.*could not be enabled" err)" = 8 ] || [ $n = 2000 ]; do
	sleep 0.05
	n=$((n + 1))
done
kill $target
wait $dtrace
rss=$(sed -n 's/^rss //p' err)
[ "$rss" -lt 80 ] && [ $n -lt 2000 ] || { cat err; exit 1; }
