# SPDX-License-Identifier: GPL-2.0-or-later
# Sparse files with a symbol table of 3 GB, notes of 1 GB, and eight of 48 MB: neither dtrace nor a
# process of its takes more memory than foreignsize says, and what was left out is reported once.
# Other files of the process are read nevertheless.
# @@status: 0 1
# @@stderr: dtrace: warning: (symbols or probes of some files of other users are omitted|"?no[0-9]*:.*there is no provider).*
# @@stderr: dtrace: failed to match no[0-9]*:big.*
hostile big >out &
pid=$!
trap 'kill $pid 2>/dev/null || :' EXIT
until grep -q ready out; do sleep 0.02; done
look() { # WANT MB OPTIONS...
	want=$1 most=$2
	shift 2
	hostile rss timeout "$LIMIT" $DTRACE -x foreigntime=60s "$@" >list 2>err || [ $? = 1 ] || {
		cat err
		exit 1
	}
	rss=$(sed -n 's/^rss //p' err)
	[ "$rss" -lt "$most" ] || { echo "$* took $rss MB"; exit 1; }
	[ "$(grep -c "$want" err)" = 1 ] || { cat err; exit 1; }
}
look 'files of other users are omitted: .* foreignsize (256m); try -x foreignsize=512m' 350 \
	-ln "pid$pid:*:work:entry"
grep -q 'hostile *work entry' list
look 'foreignsize (64m); try -x foreignsize=128m' 150 -x foreignsize=64m -ln "no$pid:big*::"
