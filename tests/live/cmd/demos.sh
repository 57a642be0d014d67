# SPDX-License-Identifier: GPL-2.0-or-later
# demo/boot and demo/replay do what they show. Of what demo/boot counts of other processes nothing
# is kept.
# @@needs: cmd:unshare cmd:setpriv
# @@stderr: ^cat: 
fail() { echo "$*"; exit 1; }
export DTRACE
"$SRC/demo/boot" | sed -n '/^boot  *tracing /p; s/^\(started\|missing\)  *ls  *[1-9].*/\1 ls/p' |
	sort | uniq -c | tr -s ' ' >out
grep -q '^ 1 boot tracing ' out || fail "$(cat out)"
grep -q ' started ls$' out || fail "$(cat out)"
"$SRC/demo/replay" >out
grep -Eq '^cat: no such file in a call from .' out || fail "$(cat out)"
grep -Eq '^  openat  *[1-9]' out || fail "$(cat out)"
grep -q '^{"type":"record".*"cat: no such file' out || fail "$(cat out)"
grep -q '^time,probefunc,calls$' out || fail "$(cat out)"
