# While a program of a tracepoint runs on a CPU the kernel leaves out a perf event's. Ticks come
# all the same, a little late, and their lateness is reported.
$DTRACE -qn '
BEGIN { start = timestamp; }
sdt:raw_syscalls::sys_enter /pid == $target/ {
	@q[strlen(strjoin(execname, "abcdefghijklmnopqrstuvwxyz"))] = count(); }
tick-10ms { n++; @late = min(arg2); }
tick-1s { printf("%d %d\n", (timestamp - start) / 10000000, n); }
tick-1s { exit(0); }
END { printa("late %@d\n", @late); trunc(@q); }' -c 'calls -s 2' >out
awk 'NF == 2 && $1 != "late" {
	print "ticks", ($2 >= $1 * 0.8 && $2 <= $1 + 2), "on time", ($1 < 300) }
	$1 == "late" { print "late", ($2 >= 0 && $2 < 100000000) }' out
$DTRACE -qn 'profile-97 { @ = max(arg2); } tick-300ms { exit(0); } END { printa("%@d\n", @); }' |
	awk 'NF { print "profile", ($1 >= 0 && $1 < 1000000000) }'
