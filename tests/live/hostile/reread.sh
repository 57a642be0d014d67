# SPDX-License-Identifier: GPL-2.0-or-later
# A process with 20,000 mappings passes an address that is in none of them every 5 ms: dtrace keeps
# its list of them once, and does not read it for each address.
# @@stderr: dtrace: warning: symbols of some processes are omitted: reading the mappings of process .*
mapper maps 3 20000 >out &
pid=$!
trap 'kill $pid 2>/dev/null && wait $pid || :' EXIT
until grep -q ready out; do sleep 0.05; done
hostile rss timeout "$LIMIT" $DTRACE -qn 'pid$target:a.out:work:entry { usym(arg0); }
	tick-6s { exit(0); }' -o names -p $pid 2>err
rss=$(sed -n 's/^rss //p' err)
grep -q 0x names
[ "$rss" -lt 120 ] || { echo "dtrace took $rss MB"; exit 1; }
