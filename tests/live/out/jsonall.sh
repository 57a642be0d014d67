# Whatever a script prints: each line of output is an object of JSON. Of the scripts of these tests, on slow machines some.
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: [0-9]+ failed speculation \(no speculative buffer
# @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+ 
# @@stderr: ^dtrace: setopt\( \): failed to set option 'stackindent': Invalid
# @@stderr: ^dtrace: setopt\( \): failed to set option 'strsize': Operation
# @@stderr: ^dtrace: setopt\( \): failed to set option '(nothing|quiet|bufsize)': 
command -v python3 >/dev/null || { echo "needs cmd:python3"; exit 77; }
. "$FIXTURE/everyscript"
every_script json
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
