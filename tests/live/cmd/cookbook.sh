# SPDX-License-Identifier: GPL-2.0-or-later
# Recipes of doc/cookbook.md that trace processes, as tests/fixture/documents says.
# @@stderr: ^dtrace: (description|script) ('.*'|') matched [0-9]+ probes?$
# @@stderr: ^dtrace: pid [0-9]+ has exited$
sections='process|container|Flame|Waiting|Writers|freed'

# Each section is in one of the tests.
sed -n '/^## /p' "$SRC/doc/cookbook.md" >headings
for test in "$SRC"/tests/live/cmd/cookbook*.sh; do
	grep -vE "$(sed -n "s/^sections='\(.*\)'$/\1/p" "$test")" headings >others || :
	mv others headings
done
[ ! -s headings ] || { cat headings; exit 1; }

documents=doc/cookbook.md strict=yes
. "$FIXTURE/documents"

# The picture, and what other users may call their functions.
if [ -e stacks.svg ]; then
	printf '%s\n' 'CPU header' '' 'a;<b&">;c 7' 'a;d 1000' 'a;e -1' 12 >odd
	awk -f doc/flamegraph.awk odd >odd.svg
	grep -qF '<title>&lt;b&amp;&quot;&gt;: 7 samples, 0.70%</title>' odd.svg
	grep -qF '<title>a: 1007 samples, 100.00%</title>' odd.svg
	[ "$(grep -c '<title>' odd.svg)" = 5 ]
	for awk in mawk gawk 'busybox awk'; do
		command -v ${awk%% *} >/dev/null || continue
		$awk -f doc/flamegraph.awk odd | cmp - odd.svg
	done
	! command -v xmllint >/dev/null || xmllint --noout odd.svg stacks.svg folded.svg waiting.svg
	if awk -f doc/flamegraph.awk /dev/null >none 2>&1; then exit 1; fi
	grep -q 'no stacks' none
fi
