# SPDX-License-Identifier: GPL-2.0-or-later
# ERROR's output has the place of the fault in its firing: before that of later clauses, also where
# records are sorted by time, of many firings, and in a replay; so have speculations.
# @@stderr: error in clause
cat >order.d <<'D'
ERROR { printf("error %d\n", arg4); }
BEGIN { printf("first\n"); }
BEGIN { printf("%d", *(int *)8); }
BEGIN { printf("second\n"); }
BEGIN { trace(1 / (pid - pid)); }
BEGIN { printf("%d", *(int *)8); }
ERROR { printf("error, again\n"); }
BEGIN { printf("third\n"); self->spec = speculation(); }
BEGIN { speculate(self->spec); printf("speculated\n"); }
BEGIN { printf("%d", *(int *)8); }
BEGIN { commit(self->spec); }
BEGIN { printf("last\n"); exit(0); }
END { printf("%s", (string)(void *)8); }
END { printf("end\n"); }
D
for temporal in off on; do
	echo "temporal $temporal"
	$DTRACE -qs order.d -x temporal=$temporal
	$DTRACE -qs order.d -x temporal=$temporal -x record=$temporal.rec
	$DTRACE -x replay=$temporal.rec >replayed
	$DTRACE -qs order.d -x temporal=$temporal >printed
	cmp printed replayed
done

# A firing's three records are together, however many firings dtrace reads at once.
echo 'many firings'
for temporal in off on; do
	$DTRACE -q -x temporal=$temporal -x switchrate=200ms \
		-n 'tick-2000 { printf("%d a\n", ++n); } tick-2000 { trace(*(int *)8); }
		ERROR { printf("error %d\n", arg4); } tick-2000 { printf("c\n"); }
		tick-2000 /n == 200/ { exit(0); }' |
		awk '/a$/ { want = $1 == n + 1 ? "error 1" : "?"; n++; next }
			!NF { next } $0 == want { want = want == "c" ? "" : "c"; next }
			{ print "out of order: " $0 }
			END { print n " firings" }'
done
