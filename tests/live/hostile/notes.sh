# SPDX-License-Identifier: GPL-2.0-or-later
# A user's files with very many static probes and instructions: what dtrace keeps of them is within
# foreignsize; what does not match is not kept. What was left out is reported once.
# @@status: 0 1
# @@stderr: ^dtrace: warning: symbols or probes of some files of other users are omitted: /.* foreignsize \(64m\); try -x foreignsize=128m$
# @@stderr: ^dtrace: failed to match zz.*::bar: No probe matches description
pid=
trap '[ -z "$pid" ] || { kill $pid && wait $pid; } 2>/dev/null || :' EXIT
map() { # FILE COUNT
	[ -z "$pid" ] || { kill $pid && wait $pid; }
	: >out
	hostile probes "$1" 65534 "$2" '' >out &
	pid=$!
	until grep -q ready out; do sleep 0.02; done
}
look() { # MB OMITTED PROBES OPTIONS...
	most=$1 omitted=$2 probes=$3
	shift 3
	hostile rss timeout "$LIMIT" $DTRACE -x foreigntime=60s "$@" -p $pid >list 2>err ||
		[ $? = 1 ]
	rss=$(sed -n 's/^rss //p' err)
	n=$(grep -c ' zz\| pid' list) || :
	[ "$rss" -lt "$most" ] && [ "$(grep -c omitted err)" = "$omitted" ] &&
		[ "$n" -ge "$probes" ] || {
		echo "$*: $rss MB, $n probes"
		cat err
		exit 1
	}
}
map many.so 140000
look 180 1 20000 -x foreignsize=64m -ln 'zz$target:::foo'
look 100 0 0 -x foreignsize=64m -ln 'zz$target:many*::bar'
look 180 1 20000 -x foreignsize=64m -ln 'pid$target:many.so:f:'
map large.so 180000
look 350 0 180000 -ln 'pid$target:large.so:f:'
