# SPDX-License-Identifier: GPL-2.0-or-later
# -x maxmem: buffers that need more are refused, with their sizes; totals grow up to it, and not
# beyond; other keys go on.
# @@status: 1
# @@stderr: ^dtrace: (debug: |failed to (set -x maxmem=|detach: -x maxmem: ))
# @@drops: ^dtrace: [0-9]+ aggregation drops?($|:| on CPU)
fail() { echo "$*: $(head -20 err out)" >&2; exit 1; }
for options in 'bufsize=16m' 'aggsize=16m' 'dynvarsize=16m'; do
	! $DTRACE -x maxmem=16m -x $options -qn 'tick-1s { @[pid] = count(); x[pid] = 1;
		printf("x"); exit(0); }' 2>err || fail "$options is accepted"
	grep -Eq "^dtrace: failed to set -x maxmem=16m: [0-9.]+m are needed: \
[0-9.]+[km] for the principal buffer \(bufsize\), [0-9.]+m for aggregations \(aggsize\), \
[0-9.]+m for variables \(dynvarsize\), .*, [0-9.]+[km] for dtrace itself\$" err ||
		fail "$options"
done
cat >keys.d <<'D'
syscall::getppid:entry /pid == $target/ { @key[n++] = count(); @all = count(); }
END { printa("all %@d\n", @all); printa("key\n", @key); }
D
set -- -q -x debug -x aggsize=256k -x aggrate=10ms -s keys.d -c 'callload 1500 500 calls'
$DTRACE -x maxmem=1g "$@" >out 2>err
needed=$(sed -n 's/.*debug:.*: \([0-9]*\) kB of memory are needed, .*/\1/p' err)
[ "$needed" -gt 1000 ] || fail "not what is needed"
! grep 'limit of -x maxmem' err || fail "dropped at 1g"
most=$(grep -c key out)
# 1 MB for totals: an element takes some 150 bytes.
$DTRACE -x maxmem=$((needed + 2048))k "$@" >out 2>err
grep -q '^dtrace: [0-9]* aggregation drops: new keys at the limit of -x maxmem$' err ||
	fail "no drops"
keys=$(grep -c key out)
[ "$keys" -gt 3000 ] && [ "$keys" -lt 12000 ] && [ "$keys" -lt "$most" ] ||
	fail "$keys keys, without limit $most"
[ "$(sed -n 's/^all //p' out)" = "$(cat calls)" ] || fail "a key that is there did not go on"
! $DTRACE -qA -x maxmem=1g -n 'tick-1s { @ = count(); }' 2>err || fail "-A is accepted"
grep -q '^dtrace: failed to detach: -x maxmem: ' err || fail "-A"
