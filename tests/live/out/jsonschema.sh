# SPDX-License-Identifier: GPL-2.0-or-later
# Lines of JSON are as doc/json.md and doc/dtrace-output.schema.json say: each example of the
# document is allowed by the schema, and the command before it prints a line with the same members;
# so do scripts that trace a program, hostile names, and what the schema refuses.
# @@status: 1 3
# @@once:
# @@stderr: .
command -v python3 >/dev/null || { echo "needs cmd:python3"; exit 77; }
schema=$SRC/doc/dtrace-output.schema.json
validate() { "$FIXTURE/validate" "$schema" "$@"; }
validate_lines() { "$FIXTURE/validate" -l "$schema" "$@"; }
echo '{"type":"start"}' >bad.json
validate bad.json >out && exit 1
! grep SKIPPED out || exit 77
rm bad.json
fail() { echo "$*"; exit 1; }

# The examples: block of sh, block of json.
awk '/^```sh/ { printf "" >(file = sprintf("example%02d.sh", ++n)); next }
	/^```json/ { file = sprintf("example%02d.json", n); next }
	/^```/ { file = ""; next } file { print >file }' "$SRC/doc/json.md"
python3 - example*.json <<'P'
import json, sys
for name in sys.argv[1:]:
    line = json.load(open(name))
    print(json.dumps(line, separators=(",", ":")), file=open(name, "w"))
P
dtrace() { $DTRACE "$@"; }
for example in example*.json; do
	(. "./${example%.json}.sh") >"${example%.json}.real" 2>"${example%.json}.err" </dev/null ||
		fail "${example%.json}: status $?, $(cat "${example%.json}.err")"
done
validate_lines example*.json
validate example*.real
python3 - example*.json <<'P'
import json, sys

# What members there are, and their types. Types of kernels and translators have members of their
# own.
def shape(x, key=None):
    if isinstance(x, dict):
        return {k: shape(v, k) for k, v in x.items()}
    if isinstance(x, list):
        return [shape(v) for v in x]
    return type(x).__name__

def fixed(line):
    return {k: v for k, v in line.items() if k not in ("timestamp", "time", "cpu")}

types = set()
for name in sys.argv[1:]:
    real = [json.loads(line) for line in open(name.replace(".json", ".real"))]
    for line in open(name):
        sample = json.loads(line)
        types.add(sample["type"])
        if shape(sample) not in [shape(r) for r in real]:
            sys.exit("%s: no line as %s" % (name, line))
        if sample["type"] in ("aggregation", "warning", "note", "failure",
                                                        "drop", "error") and not any(
                fixed(r) == fixed(sample) for r in real):
            sys.exit("%s: another result than %s" % (name, line))
every = {"start", "record", "aggregation", "error", "drop", "process", "warning", "note",
         "failure", "part", "exit", "probe", "type", "version", "diagnostic"}
if types != every:
    sys.exit("no example of %s" % (every - types))
P

# Some of the scripts with a program that they trace, which out/jsonall leaves out.
n=0
for script in "$SRC"/tests/live/*/*.d; do
	grep -q '@@needs' "$script" && continue
	trigger=$(sed -n 's/.*@@trigger: \(calls .*\)\*\/.*/\1/p' "$script")
	[ -n "$trigger" ] || continue
	n=$((n + 1))
	[ $((n % 6)) = 0 ] || continue
	name=${script##*/}
	cp "$script" .
	opts=$(sed -n 's/.*@@opts: \(.*\)\*\/.*/\1/p' "$name") \
		args=$(sed -n 's/.*@@args: \(.*\)\*\/.*/\1/p' "$name")
	(eval "set -- $args"
	eval "timeout $LIMIT $DTRACE $opts -x oformat=json -s $name -c '$trigger'" '"$@"') \
		>"$name.json" 2>"$name.err" \
		</dev/null &
	[ $((n % 12)) != 0 ] || wait
done
wait
validate *.d.json
[ "$(cat *.d.json | grep -c '"type":"exit"')" -ge 2 ] || fail "hardly a script ended"

# Names and strings that others control: quotes, control characters, UTF-8 that is cut off or
# invalid.
cat >comm.sh <<'S'
printf 'a"\\\033[1m\302\233\377\303' >/proc/$$/comm
: </dev/null
S
$DTRACE -x oformat=json -qn 'syscall::openat:entry /pid == $target/ { trace(execname);
	@[execname] = count(); }' -c "sh comm.sh" >hostile.json 2>err
$DTRACE -x oformat=json -qn 'BEGIN { printf("%s|%s", $$1, "\1\177\u2028"); trace($$1);
	@[$$1] = quantize(-1); exit(0); }' \
	"$(printf 'x\r\n\t"\\</\200\355\240\200\364\220\200\200z')" >text.json 2>err || cat err
validate hostile.json text.json
python3 - <<'P'
import json
lines = [json.loads(line) for line in open("hostile.json")]
names = {v["value"] for line in lines for o in line.get("output", []) for v in o["values"]}
assert 'a"\\\x1b[1m\x9b\ufffd\ufffd' in names, names
keys = [r["keys"] for line in lines for r in line.get("rows", [])]
assert ['a"\\\x1b[1m\x9b\ufffd\ufffd'] in keys, keys
text = [json.loads(line) for line in open("text.json")]
want = 'x\r\n\t"\\</' + '\ufffd' * 8 + 'z'
assert text[1]["output"][1]["values"][0]["value"] == want, text
assert text[2]["rows"][0]["keys"] == [want], text
P

# Options have values of their types; a probe is counted once.
$DTRACE -x oformat=jsonl -x strsize=1k -x aggrate=10ms -x bufsize=4096k -x define=A=1 \
	-x define=B -q -x flowthread=off -x cpp \
	-n 'syscall::read:entry {} syscall::read: {} BEGIN { exit(0); }' -i 1 >options.json 2>err
validate options.json
options='"options":{"aggrate":10000000,"cpp":true,"define":["A=1","B"],"oformat":"jsonl",
	"quiet":true,"strsize":1024}'
clauses='"clauses":[{"clause":1,"probes":1,"descriptions":["syscall::read:entry"]},
	{"clause":2,"probes":2,"descriptions":["syscall::read:"]},
	{"clause":3,"probes":1,"descriptions":[":::BEGIN"]},
	{"clause":4,"probes":1,"descriptions":["1"]}],"probes":3}'
for want in "$options" "$clauses"; do
	head -1 options.json | grep -qF "$(echo "$want" | tr -d '\n\t')" ||
		fail "$(head -1 options.json)"
done
# Of many clauses and descriptions the first.
awk 'BEGIN { for (i = 0; i < 1001; i++) print "BEGIN { }"; printf "BEGIN";
	for (i = 0; i < 101; i++) printf ", syscall::read:entry%s", ""; print "{ exit(0); }" }' |
	sed 's/syscall::read:entry/BEGIN/g' >many.d
$DTRACE -x oformat=json -qs many.d >many.json 2>err
validate many.json
head -1 many.json | grep -q '"truncated":true,"probes":1}' || fail "1002 clauses"

# Listings, and versions; -V does not depend on the order of options.
$DTRACE -x oformat=json -ln 'syscall::*lseek:' >list.json
$DTRACE -x oformat=json -lvn 'syscall::*lseek:, proc:::' >verbose.json
$DTRACE -Vv -x oformat=json -x nofeat=loop >features.json
$DTRACE -x oformat=json -o version.json -V
validate list.json verbose.json features.json version.json
[ "$(grep -c '"type":"probe"' list.json)" = "$($DTRACE -ln 'syscall::*lseek:' | grep -c lseek)" ] ||
	fail "$(cat list.json)"
grep -q '{"name":"loop","available":false,"disabled":true,' features.json ||
	fail "$(cat features.json)"
[ "$($DTRACE -Vv | sed 1,2d | wc -l)" = "$(grep -o '"available"' features.json | wc -l)" ] ||
	fail "features"

# The schema can fail: members that it does not know, are missing or have another type, and bounds
# that overlap.
cat example*.json >all
edits=0
while IFS= read -r edit; do
	edits=$((edits + 1))
	sed "$edit" all >bad$edits.json
	! cmp -s bad$edits.json all || fail "$edit changes nothing"
done <<'S'
/"start"/s/"schema":1/"schema":2/
/"start"/s/"quiet":true/"quiet":{}/
/"record"/s/"cpu":/"CPU":/
/"record"/s/"clause":1/"clause":"1"/
/"printf"/s/"message":/"text":/
/"record"/s/"action":"print"/"action":"trace"/
/"record"/s/"bytes":"03/"bytes":"3/
/lquantize/s/"low":0,//
/"aggregation"/s/"function":"count"/"function":"quantize"/
/"aggregation"/s/"keys":\[\],/"keys":[],"new":0,/
/"exit"/s/"drops":0/"drops":-1/
/"probe"/s/"arguments":/"args":/
/"version"/s/"host"/"hosts"/
/"diagnostic"/s/"severity":"error"/"severity":"fatal"/
/"drop"/s/"kind":"[A-Z_]*"/"kind":"x"/
/"process"/s/"message"/"messages"/
/"error"/s/"value":"0x0"/"value":0/
s/"type":"exit"/"type":"end"/
S
validate_lines bad*.json >wrong && fail "nothing is wrong"
for i in $(seq $edits); do
	grep -q "^bad$i\.json:" wrong || fail "change $i is allowed"
done
