# SPDX-License-Identifier: GPL-2.0-or-later
# A detached session loses nothing when its readers are killed: totals are exact, each record is
# printed, in order; what finds no space in the ring is counted.
# @@once: forty readers take minutes on an emulated machine
# @@needs: cmd:unshare
# @@drops: ^dtrace: [0-9]+ drops? on CPU [0-9]+$
. "$FIXTURE/ownmounts"
mount -t bpf none /sys/fs/bpf
fail() { echo "$*"; exit 1; }
is() { [ "$2" = "$3" ] || fail "$1: $2, not $3"; }
cp "$(command -v calls)" ./dtdetach
killed() { LD_PRELOAD=$BUILD/tests/fixture/killat.so KILLAT=$1 "$DTRACE_PROGRAM" -qa; }

cat >count.d <<'SCRIPT'
syscall::lseek:entry
/execname == "dtdetach"/
{
	@count = count();
	@sum = sum(arg1);
	@least = min(arg1);
	@most = max(arg1);
	@mean = avg(arg1);
	@keys[arg1 % 97] = count();
	@dist = quantize(arg1);
	@name[execname] = sum(1);
	printf("<%08d>\n", arg1);
}
END
{
	printa("count %@d\n", @count);
	printa("sum %@d\n", @sum);
	printa("least %@d\n", @least);
	printa("most %@d\n", @most);
	printa("mean %@d\n", @mean);
	printa("key %d %@d\n", @keys);
	printa("name %s %@d\n", @name);
	printf("end\n");
}
SCRIPT
total=0 rest=0
# Rounds 0 .. n - 1 in one thread.
work() {
	./dtdetach -t 1 -i -n "$1" ${2:+-d "$2"}
	total=$((total + $1)) rest=$((rest + $1 * ($1 - 1) / 2))
}
# Whole records, each once, in the order in which they were printed first.
records() { cat reader.* | grep -x '<[0-9]\{8\}>' | awk '!seen[$0]++'; }

$DTRACE -qA -b 32m -s count.d
work 1000
$DTRACE -qa >reader.a00
grep -q '^ *1000$' reader.a00 || fail "the first reader: $(tail -5 reader.a00)"
# Killed at each step: before and after the position, before and after the totals of the first and
# second generation.
n=10
for at in 'before position 1' 'after position 1' 'before totals 1' 'after totals 1' \
	'before totals 2' 'after totals 2'; do
	work 50
	killed "$at" >reader.b$n && fail "$at: it was not killed" || is "$at" $? 137
	[ $((n % 2)) = 0 ] || $DTRACE -qa >reader.b$n.then
	n=$((n + 1))
done
# Killed at any time, while there are calls.
while [ $n -lt 40 ]; do
	work 300 100 & work=$!
	total=$((total + 300)) rest=$((rest + 300 * 299 / 2))
	"$DTRACE_PROGRAM" -qa >reader.c$n & reader=$!
	sleep "0.0$((n * 37 % 100 / 10))$((n * 37 % 10))"
	kill -9 $reader 2>/dev/null || :
	wait $reader 2>/dev/null || :
	wait $work
	n=$((n + 1))
done
# Several at once: one waits for the other.
work 500
$DTRACE -qa >reader.d1 & one=$!
$DTRACE -qa >reader.d2
wait $one
$DTRACE -q -x detach=stop >reader.e
[ ! -e /run/dtrace/anon ] && [ ! -e /sys/fs/bpf/dtrace/anon ] || fail 'the session is still there'
value() { awk -v what="$1" '$1 == what { sum += $NF } END { print sum }' reader.e; }
is count "$(value count)" $total
is sum "$(value sum)" $rest
is least "$(value least)" 0
is most "$(value most)" 999
is mean "$(value mean)" $((rest / total))
is keys "$(value key)" $total
is names "$(value name)" $total
is distribution "$(awk '/value  ----/ { on = 1; next } on && NF { sum += $NF }
	END { print sum }' reader.e)" $total
is end "$(grep -c '^end$' reader.e)" 1
# Values of the rounds repeat, so that of each as many must have been printed as there were, or
# more where a reader was killed.
is records "$(records | wc -l)" 1000
seq -f '<%08.0f>' 0 999 >all
head -1000 reader.a00 | cmp - all || fail 'order of records'
cat reader.* | grep -cx '<[0-9]\{8\}>' >printed
[ "$(cat printed)" -ge $total ] || fail "$(cat printed) of $total records"
rm reader.*

# Records wait in the ring; what does not fit is counted, and each reader has what came since.
$DTRACE -qA -x name=small.1 -b 16k \
	-n 'syscall::lseek:entry /execname == "dtdetach"/ { printf("<%08d>\n", arg1); }
	syscall::lseek:entry /execname == "dtdetach"/ { @ = count(); }'
for n in 1 2 3; do
	./dtdetach -t 1 -i -n 4000
	$DTRACE -qa small.1 >reader.$n 2>err
	got=$(grep -cx '<[0-9]*>' reader.$n) drops=$(awk '/drops? on CPU/ { sum += $2 }
		END { print sum + 0 }' err)
	is "records and drops of reader $n" $((got + drops)) 4000
	[ "$got" -gt 100 ] && [ "$drops" -gt 100 ] || fail "reader $n: $got records, $drops drops"
	seq -f '<%08.0f>' 0 $((got - 1)) >all
	grep '<' reader.$n | cmp - all || fail "order of reader $n"
	is "total of reader $n" "$(tail -1 reader.$n | tr -d ' ')" $((4000 * n))
done
$DTRACE -q -x detach=stop small.1 >out
is 'total at the end' "$(tail -1 out | tr -d ' ')" 12000
