# SPDX-License-Identifier: GPL-2.0-or-later
# -x maxcpu: under a load that the limit does not allow, firings are sampled; totals are estimates,
# clauses that assign variables stay exact; when the load is gone, all firings count again.
# @@stderr: ^dtrace: (debug: |-x maxcpu=|@[a-z]* is an estimate: )
fail() { echo "$*: $(cat err out)" >&2; exit 1; }
limit=$(nproc | awk '{ printf("%.3f%%", 10 / $1) }')	# 10% of the CPU that the load has
cat >load.d <<'D'
syscall::getppid:entry, syscall::getuid:entry
/pid == $target/
{
	@calls[probefunc, execname] = count();
	@all = count();
	@threes = sum(3);
	@seven = avg(7);
	@fifty = stddev(probefunc == "getuid" ? 100 : 0);
	@twice = quantize(100, 2);
	@linear = lquantize(5, 0, 10);
	@loglinear = llquantize(5, 10, 0, 1, 10);
}

syscall::getppid:entry
/pid == $target/
{
	exact++;
}

syscall::getuid:entry
/pid == $target/
{
	@most = max(exact);
	@unsampled = count();
}

END
{
	printf("exact %d\n", exact);
	printa("unsampled %@d\n", @unsampled);
	printa("%s %@d\n", @calls);
	printa("all %@d\nthrees %@d\nseven %@d\nfifty %@d\n", @all, @threes, @seven, @fifty);
	trunc(@most);
}
D
$DTRACE -q -x debug -x maxcpu="$limit" -x record=rec -x recordprint -s load.d \
	-c "callload 7000 7000 calls" >out 2>err
sampled='one of [0-9]+ firings of syscall:vmlinux:get(uid|ppid):entry is counted, as [0-9]+'
grep -Eq "^dtrace: -x maxcpu=[0-9.]+%: $sampled; tracing took [0-9.]+% of CPU time\$" err ||
	fail "it was not sampled"
# Other processes' system calls run these programs, too: N falls, and to 1 where these are few.
awk '/-x maxcpu=.*: one of / { n = $6 + 0; most = n > most ? n : most } /all firings of/ { n = 1 }
	END { exit n >= most }' err || fail "it is still sampled as much"
grep -q '^dtrace: @all is an estimate: with -x maxcpu, one of up to [0-9]* firings was counted$' \
	err ||
	fail "no estimate"
! grep -q '@unsampled is an estimate' err || fail "max( ) was sampled"
read -r calls <calls
awk -v calls="$calls" '
	function near(have, want) { return have > want * .9 && have < want * 1.1 }
	function is(name, ok) { if (!ok) print name ": " $0 ", of " calls " calls" }
	NF { of[$1] = $2 }
	$1 == "exact" || $1 == "unsampled" { is("exact", $2 == calls) }
	$1 == "getuid" || $1 == "getppid" { is("near", near($2, calls)); sum += $2 }
	$1 == "seven" { is("seven", $2 == 7) }
	$1 == "fifty" { is("fifty", $2 >= 49 && $2 <= 51) }
	END { is("all", of["all"] == sum); is("threes", of["threes"] == 3 * sum) }' out >wrong
[ ! -s wrong ] || fail "$(cat wrong)"
# Once N is found, most of the measurements are below the limit, where dtrace itself leaves
# something of it (not on an emulated machine).
awk -v limit="${limit%\%}" '
	/debug:.*: tracing takes/ && $3 > 4000 && $3 < 7000 && $15 + 0 < limit / 2 {
		n++
		over += $7 + 0 > limit * 1.1
	}
	END { exit n >= 3 && over * 2 > n }' err || fail "the limit is not kept"
# The recording has the messages and the factor.
$DTRACE -x replay=rec -x oformat=json >json
"$FIXTURE/validate" "$SRC/doc/dtrace-output.schema.json" json || fail "the JSON is not valid"
grep -q '"type":"warning",.*"message":"-x maxcpu=[0-9.]*%: one of ' json ||
	fail "no warning in JSON"
grep -q '"name":"linear".*"sampled":[0-9]' json || fail "no factor in JSON"
! grep -q '"name":"unsampled"[^}]*"sampled"' json || fail "a factor of what was not sampled"
sum() {
	buckets="\"name\":\"$1\",\"function\".*\"buckets\""
	sed -n "s/.*$buckets:\[{[^}]*\"count\":\([0-9]*\)}.*/\1/p" json
}
all=$(sed -n 's/^all //p' out)
[ "$(sum linear) $(sum loglinear) $(sum twice)" = "$all $all $((2 * all))" ] ||
	fail "distributions: $(sum linear) $(sum loglinear) $(sum twice)"
