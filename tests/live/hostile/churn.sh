# SPDX-License-Identifier: GPL-2.0-or-later
# A process makes, maps and removes one file after the other, below a path of 3.5 KB: files without
# an ELF header, and ELF files without probes. What -Z keeps of them does not grow.
grown() { # BYTES
	rm -rf dddd*
	mapper churn "$1" >out &
	pid=$!
	trap 'kill $pid 2>/dev/null && wait $pid || :' EXIT
	until grep -q ready out; do sleep 0.05; done
	for s in 1 4; do
		hostile rss timeout "$LIMIT" $DTRACE -Zq -p $pid \
			-n "zz\$target:::foo {} tick-${s}s { exit(0); }" 2>err ||
			{ cat err; exit 1; }
		sed -n 's/^rss //p' err >rss$s
	done
	[ "$(cat rss4)" -lt $(($(cat rss1) + 5)) ] ||
		{ echo "$1 bytes: $(cat rss1) MB after 1 s, $(cat rss4) after 4"; exit 1; }
	kill $pid
	wait $pid || :
}
grown 1
grown 4096
