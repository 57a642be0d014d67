# SPDX-License-Identifier: GPL-2.0-or-later
# A user's file that declares millions of static probes (.note.usdt): a section above 16 MB is not
# read, which is reported, and of a smaller one 65536 declarations are kept.
# @@stderr: ^dtrace: warning: declarations of static probes of /.*/decls\.so are omitted: .* 16 MB$
pid=
trap '{ kill $pid && wait $pid; } 2>/dev/null || :' EXIT
look() { # DECLARATIONS MB OMITTED
	: >out
	hostile probes decls.so 65534 1 '' "$1" int >out &
	pid=$!
	until grep -q ready out; do sleep 0.02; done
	hostile rss timeout "$LIMIT" $DTRACE -x foreigntime=60s -ln 'zz$target:::foo' -p $pid \
		>list 2>err
	kill $pid
	rss=$(sed -n 's/^rss //p' err)
	[ "$rss" -lt "$2" ] && [ "$(grep -c omitted err)" = "$3" ] && grep -q foo list || {
		echo "$1 declarations: $rss MB"
		cat list err
		exit 1
	}
}
look 5000000 60 1
look 3000000 80 0
