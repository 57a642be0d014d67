# SPDX-License-Identifier: GPL-2.0-or-later
# 400 stripped files say that an installed debug file with 50,000 functions is theirs: what dtrace
# keeps of it for each is within foreignsize. The debug file is in a mount namespace of the test's.
# @@needs: cmd:unshare
# @@stderr: dtrace: warning: symbols or probes of some files of other users are omitted: .* foreignsize \(64m\).*
ids=debug/.build-id/01
mkdir -p "$ids" work
cd work
hostile debug 400 "../$ids/02030405060708090a0b0c0d0e0f10.debug" >out &
pid=$!
cd ..
trap 'kill $pid && wait $pid || :' EXIT # until the next trap
until grep -q ready work/out; do sleep 0.05; done
cat >look.sh <<'END'
mount -t tmpfs -o mode=755 tmpfs /usr/lib/debug && cp -r debug/.build-id /usr/lib/debug || exit 77
exec hostile rss timeout "$LIMIT" $DTRACE -x foreignsize=64m -ln "pid$1:stripped*:f1*:entry"
END
made=$(mkdir /usr/lib/debug 2>/dev/null && echo /usr/lib/debug || :)
trap 'kill $pid && wait $pid || :; [ -z "$made" ] || rmdir "$made"' EXIT
export LIMIT DTRACE
rc=0
unshare -m sh look.sh "$pid" >list 2>err || rc=$?
[ $rc = 0 ] || { cat err; exit 1; }
n=$(grep -c "stripped.*f1 entry" list)
[ "$n" -ge 3 ] || { echo "no functions of the debug file"; exit 1; }
rss=$(sed -n 's/^rss //p' err)
[ "$rss" -lt 200 ] || { echo "dtrace took $rss MB"; exit 1; }
grep -v '^rss ' err >&2
