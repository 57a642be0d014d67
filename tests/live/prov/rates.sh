# profile and tick in every unit. What comes late by a busy machine is not counted as an error: the
# bounds are wide.
# @@status: 1
# calls keeps all CPUs awake: some machines lose timers of CPUs that sleep.
$DTRACE -qn 'uint64_t last; int n, near;
tick-20ms { @["20ms"] = count(); } tick-50hz { @["50hz"] = count(); } tick-50 { @["50"] = count(); }
tick-20000us { @["us"] = count(); } tick-20msec { @["msec"] = count(); }
tick-20000000ns { @["ns"] = count(); }
tick-20000usec { @["usec"] = count(); } tick-20000000nsec { @["nsec"] = count(); }
tick-1s { @["s"] = count(); } tick-1sec { @["sec"] = count(); }
tick-1m, tick-1min, tick-1h, tick-1hour, tick-1d, tick-1day { @["long"] = count(); }
profile-20ms { @p[cpu] = count(); }
tick-20ms /last/ { n++; near += timestamp - last > 17000000 && timestamp - last < 23000000; }
tick-20ms { last = timestamp; }
profile-997 { @args[(arg0 != 0) + (arg1 != 0), arg2 >= 0] = count(); }
BEGIN { start = timestamp; }
END { printf("near %d %d\n", n, near); printf("time %d\n", (timestamp - start) / 1000000);
	printa("n %s %@d\n", @); printa("p %d %@d\n", @p); printa("args %d %d %@d\n", @args); }' \
	-c "calls -t $(getconf _NPROCESSORS_ONLN) -s 2" >out
ms=$(awk '$1 == "time" { print $2 }' out)
[ "$ms" -ge 1090 ] && [ "$ms" -lt 5000 ]
# Of the 20 ms, at most one more than fit in the time; how many a machine misses whose CPUs are
# taken away from it is not ours to say.
awk -v ms="$ms" -v least="${SLOW:+0.02}" 'BEGIN { least = least ? least : 0.2 }
	$1 == "n" && $2 !~ /^s/ || $1 == "p" { n = $NF;
		if (n > ms / 20 + 1 || n < ms / 20 * least) { print; bad = 1 } }
	END { exit bad }' out
# Most of the ticks that come are a period apart.
awk -v least="${SLOW:+4}" '$1 == "near" && $3 * (least ? least : 2) < $2 { print; exit 1 }' out
awk -v ms="$ms" '$1 == "n" && $2 ~ /^s/ && ($3 < 1 || $3 > ms / 1000) { print; exit 1 }' out
grep -c '^n ' out
[ "$(grep -c '^p ' out)" = "$(getconf _NPROCESSORS_ONLN)" ]
# Either the kernel's or the user's program counter, never both or none.
awk '$1 == "args" { print $2, $3 }' out
$DTRACE -qn 'tick-20ms { printf("%d ", ++n); } tick-20ms /n == 10/ { printf("and %d\n", n); }
	tick-20ms /n == 10/ { exit(0); }'
for p in tick-1ns profile-5001 tick-0 tick-1week; do
	$DTRACE -n "$p" 2>&1 || true
done
