# SPDX-License-Identifier: GPL-2.0-or-later
# "a.out" is the program of the process, also where another one that was looked at before runs a
# library of it as its program.
. "$FIXTURE/background"
calls=$(command -v calls)
loader=$(awk '/ld-linux/ { print $6; exit }' /proc/self/maps)
begin sh -c "echo ready; exec $loader $calls -n 1000000000"
first=$!
until [ "$(cat /proc/$first/comm)" != sh ]; do sleep 0.02; done
begin sh -c "echo ready; exec $calls -n 1000000000"
second=$!
until [ "$(cat /proc/$second/comm)" != sh ]; do sleep 0.02; done
$DTRACE -ln "pid$first:a.out:_dl_catch_exception:entry, pid$second:a.out:*:entry" |
	awk -v first="pid$first" 'NR > 1 { n[($2 == first ? "first " : "second ") $3]++ }
		END { for (i in n) print i, (n[i] > 1 ? "many" : n[i]) }' |
	sed 's/ld-linux-[^ ]*/ld-linux/' | sort
