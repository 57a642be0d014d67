# Whatever a script prints: each line of output is an object of JSON. Of the scripts of these tests, on slow machines some.
command -v python3 >/dev/null || { echo "needs cmd:python3"; exit 77; }
n=0
most=10
[ -z "${SLOW:-}" ] || most=100
for script in "$SRC"/tests/live/*/*.d; do
	grep -q '@@needs\|@@trigger' "$script" && continue
	n=$((n + 1))
	[ -z "${SLOW:-}" ] || [ $((n % 12)) = 0 ] || continue
	cp "$script" .
	name=${script##*/}
	args=$(sed -n 's/.*@@args: \(.*\)\*\/.*/\1/p' "$name")
	opts=$(sed -n 's/.*@@opts: \(.*\)\*\/.*/\1/p' "$name")
	eval "set -- $args"
	eval "timeout $most $DTRACE $opts -x oformat=json -s $name" '"$@"' >"$name.json" 2>"$name.err" </dev/null || [ $? -lt 124 ]
done
python3 - *.json <<'P'
import json, sys
for name in sys.argv[1:]:
    last = None
    for line in open(name, "rb").read().decode().splitlines():
        try:
            last = json.loads(line)
            assert isinstance(last, dict) and "type" in last and "timestamp" in last
        except Exception as why:
            sys.exit("%s: %s: %s" % (name, why, line))
    if not last or last["type"] != "exit":
        sys.exit("%s: it does not end with an exit" % name)
P
