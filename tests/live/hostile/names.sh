# SPDX-License-Identifier: GPL-2.0-or-later
# A JIT map of 20000 names of C++ that become 10 KB or 1.5 KB each: those of 10 KB stay mangled, and
# of the others dtrace does not keep all, though it prints all of them, twice.
hostile names >out &
pid=$!
trap 'kill $pid 2>/dev/null || :; rm -f /tmp/perf-$pid.map' EXIT
until grep -qs ready out; do sleep 0.02; done
hostile rss timeout "$LIMIT" $DTRACE -x aggsize=32m -qn '
	pid$target:a.out:work:entry { @[usym(arg0)] = count(); }
	pid$target:a.out:work:entry /++n == 20000/ { exit(0); }
	END { printa("%A\n", @); printa("%A\n", @); }' -p $pid >names 2>err
rss=$(sed -n 's/^rss //p' err)
[ "$rss" -lt 120 ] || { echo "dtrace took $rss MB"; exit 1; }
awk '/`/ { n[/`f[0-9]*</ && length() < 2000 ? "short" : /`_Z[0-9]*f/ ? "mangled" : "other"]++ }
	END { for (i in n) print i, n[i] }' names | sort
kill $pid
wait $pid || :
