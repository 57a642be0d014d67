# -x flowthread: a thread's tree goes on where it goes on, with several clauses, too; its id is
# printed.
# @@needs: cmd:taskset
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: pid [0-9]+ has exited
fail() { echo "$*"; exit 1; }
[ "$(nproc)" -ge 2 ] || { echo "needs two CPUs"; exit 77; }
cat >moves.d <<'D'
syscall::sched_setaffinity: /pid == $target/ { trace(tid); }
syscall::sched_setaffinity: /pid == $target/ { trace("again"); }
D
moves() {
	# Only the second move is seen in any case: from CPU 0 to 1.
	$DTRACE "$@" -s moves.d -c 'taskset -c 0 taskset -c 1 true' 2>err >out || fail "$(cat err)"
}

moves -F -x flowthread
[ "$(sed -n 's/ *$//; 1p' out)" = 'CPU     TID FUNCTION' ] || fail "header: $(cat out)"
awk 'NR > 1 && $2 != $5 && $5 != "again" { exit 1 }' out || fail "threads: $(cat out)"
awk 'NR > 1 && NF { print $1, $2 == $5 ? "TID" : $5, substr($0, 13, 22) }' out | tail -n 4
grep -c '^' out

# By CPU nothing goes in or out on a thread's way.
moves -F
awk 'NR == 1 && $2 != "FUNCTION" { exit 1 }' out || fail "header: $(cat out)"

# Without -F there is no tree; programs read whose record it is.
moves -x flowthread
grep -q 'ID  *FUNCTION:NAME' out || fail "without -F: $(cat out)"
moves -x flowthread -x oformat=json
grep -q '^{"type":"record","timestamp":[0-9]*,"time":"[^"]*","cpu":1,"tid":[1-9][0-9]*,"probe":{' \
	out || fail "JSON: $(cat out)"
moves -x oformat=json
! grep -q '"tid":' out || fail "JSON has what nobody asked for: $(cat out)"

# What follows the thread in the record is where it should be; also of an action that may be left
# out.
$DTRACE -x flowthread -qn 'syscall::getppid:entry /pid == $target/ { printf("%d %s ", 42, "text");
	if (pid) printf("%d\n", arg0 * 0 + 7); }' -c 'calls -n 1'
# A thread that is idle, and BEGIN, which dtrace runs itself.
$DTRACE -F -x flowthread -n 'BEGIN { exit(0); }' 2>err |
	sed '1d; s/^ *[0-9]* *[0-9][0-9]* */CPU TID /; s/ *$//'
