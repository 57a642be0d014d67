# SPDX-License-Identifier: GPL-2.0-or-later
# Scripts of 1 to 6 MB under -e that are one clause, or many with syntax errors: dtrace does not
# parse more of them than it can keep, nor parse them again for each error.
# @@status: 1
# @@once:
# @@stderr: dtrace: failed to compile script .*
# @@stderr: dtrace: error in clause .*
fail() { echo "$*"; exit 1; }
compile() { # WANT: the script on standard input
	cat >x.d
	hostile rss timeout "$LIMIT" $DTRACE -es x.d 2>err && fail "compiled: $1"
	grep -q "$1" err || fail "$1: $(cut -c 1-200 err)"
	rss=$(sed -n 's/^rss //p' err)
	[ "$rss" -lt 450 ] || fail "$1: $rss MB"
}
clause='NR == 1 { print "BEGIN{" } { print } END { print "}" }'
yes 'x=1;x=1;x=1;x=1;x=1;' | head -n 200000 | awk "$clause" |
	compile 'too large: more than 1000000 expressions, statements and declarations'
yes 'x=1;x=1;x=1;x=1;x=1;' | head -n 30000 | awk "$clause" |
	compile 'too large: more than 500000 expressions, with those that inlines'
{
	yes 'BEGIN { x=1;x=1;x=1;x=1;x=1;x=1;x=1;x=1;x=1;x=1; }' | head -n 15000
	yes 'BEGIN { x=; }' | head -n 30
} | compile 'line 15001: syntax error'
