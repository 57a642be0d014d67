# SPDX-License-Identifier: GPL-2.0-or-later
# Conservation under load: threads on all CPUs make calls in numbers and with values that are
# known, and every way to count them agrees to the last one: count(), sum(), min() and max(),
# distributions, keys, variables of the thread from entry to return, records, and speculations.
# @@drops: ^dtrace: [0-9]+ failed speculations? \(no speculative buffer available\)$
rounds=10000 threads=$(nproc)
[ "$threads" -ge 4 ] || threads=4
fail() { echo "$*"; exit 1; }
lines() { awk -v what="$1" '$1 == what { print $2 }' out; }
is() { [ "$2" = "$3" ] || fail "$1: $2, not $3"; }

# Each thread calls with 0, 1, ... rounds - 1. The checksum is of the values themselves, so that
# one that is lost and another that is counted twice show.
$DTRACE -b 32m -x aggsize=8m -qn '
syscall::lseek:entry
/pid == $target/
{
	self->v = arg1;
	self->in = 1;
	@count = count();
	@sum = sum(arg1);
	@check = sum(arg1 * 2654435761 % 4294967296);
	@least = min(arg1);
	@most = max(arg1);
	@keys[arg1 % 97] = count();
	@dist = quantize(arg1);
	@steps = lquantize(arg1, 0, 10000, 100);
	printf("record %d\n", arg1);
}
syscall::lseek:return
/self->in/
{
	@returns = count();
	@values = sum(self->v);
	self->in = 0;
	self->v = 0;
}
END
{
	printa("count %@d\n", @count);
	printa("sum %@d\n", @sum);
	printa("check %@d\n", @check);
	printa("least %@d\n", @least);
	printa("most %@d\n", @most);
	printa("returns %@d\n", @returns);
	printa("values %@d\n", @values);
	printa("key %@d\n", @keys);
	printa("dist %@d", @dist);
	printa("dist %@d", @steps);
}' -c "calls -i -n $rounds -t $threads -o made" >out
calls=$((rounds * threads)) sum=$((threads * rounds * (rounds - 1) / 2))
is made "$(cat made)" $calls
is count "$(lines count)" $calls
is returns "$(lines returns)" $calls
is sum "$(lines sum)" $sum
is values "$(lines values)" $sum
is least "$(lines least)" 0
is most "$(lines most)" $((rounds - 1))
check=$(awk -v n=$rounds -v t=$threads 'BEGIN {
	for (i = 0; i < n; i++) sum += i * 2654435761 % 4294967296; printf "%.0f\n", sum * t }')
is check "$(lines check)" "$check"
awk -v calls=$calls -v sum=$sum -v rounds=$rounds -v threads=$threads '
	$1 == "record" { records++; values += $2; seen[$2]++ }
	$1 == "key" { keys++; keyed += $2 }
	$1 == "dist" { part++ }
	/\|/ { dist[part] += $NF }
	END {
		for (i = 0; i < rounds; i++)
			if (seen[i] != threads)
				bad++
		if (records != calls || values != sum || bad || keys != 97 || keyed != calls ||
		    dist[1] != calls || dist[2] != calls)
			printf "records %d, of %.0f, %d wrong; %d keys of %d; " \
			    "distributions %d, %d\n", records, values, bad, keys, keyed,
			    dist[1], dist[2]
	}' out

# Speculations: each call begins one, if there is one; what is committed is printed once, what is
# discarded never.
$DTRACE -b 16m -x nspec=64 -qn '
syscall::lseek:entry /pid == $target/ { self->spec = speculation();
	@[self->spec ? "begun" : "none"] = count(); }
syscall::lseek:entry /self->spec/ { speculate(self->spec); printf("kept %d\n", arg1); }
syscall::lseek:return /self->spec/ { speculate(self->spec); printf("back %d\n", errno); }
syscall::lseek:return /self->spec/ { self->keep = !(self->n++ % 3);
	@[self->keep ? "committed" : "discarded"] = count(); }
syscall::lseek:return /self->spec && self->keep/ { commit(self->spec); }
syscall::lseek:return /self->spec && !self->keep/ { discard(self->spec); }
syscall::lseek:return { self->spec = 0; }
END { printa("%s %@d\n", @); }' -c "calls -i -n 2000 -t $threads -d 50" >out 2>err
kept=$(grep -c '^kept' out) back=$(grep -c '^back' out)
none=$(lines none) failed=$(awk '/failed spec/ { n += $2 } END { print n + 0 }' err)
is 'begun or not' $(($(lines begun) + ${none:-0})) $((2000 * threads))
is 'none' "${none:-0}" "$failed"
is 'ended' $(($(lines committed) + $(lines discarded))) "$(lines begun)"
is 'printed' "$kept $back" "$(lines committed) $(lines committed)"
[ "$kept" -gt 0 ]
