# SPDX-License-Identifier: GPL-2.0-or-later
# A process maps pages of files whose paths are 75 KB long, so that /proc/PID/maps has 150 MB:
# dtrace reads a part of it, does not keep the paths, and reports once that it is incomplete.
# @@stderr: dtrace: warning: symbols of some processes are omitted: reading the mappings of process .*
mapper maps 300 2000 >out &
pid=$!
trap 'kill $pid 2>/dev/null && wait $pid || :' EXIT
until grep -q ready out; do sleep 0.05; done
begun=$(date +%s%3N)
hostile rss timeout "$LIMIT" $DTRACE -x foreigntime=500ms -ln 'pid$target:a.out:work:entry' \
	-p $pid >list 2>err
took=$(($(date +%s%3N) - begun)) rss=$(sed -n 's/^rss //p' err)
grep -q 'mapper *work entry' list
[ "$rss" -lt 80 ] || { echo "dtrace took $rss MB"; exit 1; }
[ "$took" -lt 4000 ] || { echo "dtrace took $took ms"; exit 1; }
[ "$(grep -c 'omitted: reading the mappings of process' err)" = 1 ] || { cat err; exit 1; }
