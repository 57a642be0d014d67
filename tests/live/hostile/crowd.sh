# SPDX-License-Identifier: GPL-2.0-or-later
# A user runs 100 processes, each with 1500 mappings of files whose paths are 3.5 KB long. exit()
# and ^C end dtrace soon, also while it reads their mappings and at the start of -Z; addresses in
# processes of root and of another user have their symbols.
# @@needs: cmd:setpriv
# @@stderr: dtrace: (warning: )?symbols( or probes)? of some processes are omitted: reading the mappings of (process [0-9]+|the processes of user 65534) .*
. "$FIXTURE/background"
ms() {
	date +%s%3N
}
times=${SLOW:+3} times=${times:-1}
soon() { # WHAT BEGUN MS
	[ $(($(ms) - $2)) -lt $(($3 * times)) ] || { echo "$1 took $(($(ms) - $2)) ms"; exit 1; }
}
ready=100
begin_as 65534 mapper maps 14 1500 100
ready=1
begin_as 65533 mapper maps 1 10 1
begin_as 0 mapper maps 1 10 1
script='syscall::clock_nanosleep:entry /execname == "mapper"/ { @[uid, ustack(1)] = count(); }'

begun=$(ms)
timeout "$LIMIT" $DTRACE -x foreigntime=500ms -qn "$script tick-2s { exit(0); }" >got
soon 'exit()' "$begun" 5500
for uid in 0 65533; do
	grep -A1 "^ *$uid *$" got | grep -q 'libc\.so.*`.*nanosleep' ||
		{ echo "no symbols of user $uid"; cat got; exit 1; }
done

timeout -s INT 2 $DTRACE -x foreigntime=500ms -qn "$script" >got &
dtrace=$!
sleep 2
begun=$(ms)
wait $dtrace || [ $? = 124 ]
soon '^C' "$begun" 3000
grep -q nanosleep got

begun=$(ms)
timeout "$LIMIT" $DTRACE -x foreigntime=500ms -Zqn 'zz*:::foo {} tick-1 { exit(0); }'
soon 'the start of -Z' "$begun" 4000
