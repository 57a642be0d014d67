# JSON: what is lost, what commands print, speculations, files, interrupts, no reader.
# @@status: 1 2
# @@stderr: ^dtrace: allowing destructive actions$
# @@stderr: ^dtrace: (description|pid [0-9]+ has exited|failed to set -x oformat: )
# @@stderr: ^Stability attributes for description BEGIN:
# @@stderr: ^	
# @@drops: ^dtrace: [0-9]+ drops on CPU [0-9]+
fail() { echo "$*"; cat out; exit 1; }
json() {
	grep -v '^{"type":"start","schema":1,' "$1" |
		grep -qv '^{"type":"[a-z]*","timestamp":[0-9]*,"time":".*}$' && fail "$1: not JSON"
	return 0
}

$DTRACE -b 4k -x oformat=json \
	-n 'syscall::getppid:entry /pid == $target/ { printf("record %d\n", n++); }' \
	-c 'calls -n 20000 -t 2 -o made' >out 2>err
json out
printed=$(grep -c '"message":"record ' out) || true
drop='"type":"drop".*"cpu":[0-9]*,"kind":"DTRACEDROP_PRINCIPAL","count":'
dropped=$(sed -n "s/.*$drop"'\([0-9]*\),"message":"[0-9]* drops* on CPU [0-9]*"}/\1/p' out |
	awk '{ n += $1 } END { print n + 0 }')
[ $((printed + dropped)) = "$(cat made)" ] && [ "$dropped" -gt 0 ] ||
	fail "$printed, $dropped, $(cat made)"
tail -1 out | grep -q "\"type\":\"exit\".*\"status\":0,\"drops\":$dropped}" || fail "exit"

$DTRACE -wx oformat=json -n 'BEGIN { system("echo two; echo \"th%cee\"", 114); printf("x");
	freopen("file"); exit(2); }' >out 2>err || [ $? = 2 ]
json file
[ "$(grep -c '' out)" = 1 ] && grep -q '^{"type":"start","schema":1,' out ||
	fail "not only the start"
system='{"action":"system","message":"two\\nthree\\n","values":\[{"value":114}\]}'
grep -q '"output":\['"$system"',{"action":"printf","message":"x"},' file || fail "system"
grep -q '"type":"exit".*"status":2' out file || fail "status"

# A pointer to what is translated has what the translator makes, and the name that the script gives
# it.
$DTRACE -x oformat=json -qn 'struct out { int a; string b; };
	translator struct out < int n > { a = n + 1; b = "text"; };
	BEGIN { print(xlate <struct out *>(7)); print(curpsinfo->pr_fname); exit(0); }' >out 2>err
json out
grep -q '"type":"struct out","address":"0x7","value":{"a":8,"b":"text"}}\]' out || fail "translated"
grep -q '"name":"curpsinfo->pr_fname","type":"string","value":"dtrace"' out ||
	fail "name of a member"

# What is committed has lines of its own, and a commit has none.
$DTRACE -x oformat=json -n 'BEGIN { s = speculation(); }
	BEGIN { speculate(s); printf("held"); } BEGIN { printf("before"); } BEGIN { commit(s); }
	BEGIN { printf("after"); exit(0); }' >out 2>err
json out
sed -n 's/.*"message":"\([a-z]*\)".*/\1/p' out | tr '\n' ' ' |
	grep -qx 'before held after ' || fail "commit"
[ "$(grep -c '"type":"record"' out)" = 3 ] || fail "lines"

# With -o, and interrupted: there is no empty line. What -v prints is not there either.
$DTRACE -vx oformat=json -o file2 -n 'BEGIN { @ = count(); trace(1); }' >out 2>err &
until grep -qs '"record"' file2; do sleep 0.1; done
kill -TERM $!
wait $! || fail "status $?"
json file2
[ ! -s out ] && grep -c . file2 | grep -qx 4 || fail "$(cat file2)"
grep -q 'tability' err || fail "$(cat err)"

{
	timeout "$LIMIT" $DTRACE -x oformat=json -qn 'tick-10ms { printf("b\n"); }' 2>err
	echo "status $?" >&2
} 2>status | head -1 >out
grep -qx 'status 0' status || fail "$(cat status err)"

# A format that is not there is refused.
$DTRACE -x oformat=yaml -n 'BEGIN { exit(0); }' 2>err && fail "yaml"
grep -q "^dtrace: failed to set -x oformat: Invalid value for specified option: oformat is one of text json " \
	err || fail "$(cat err)"
