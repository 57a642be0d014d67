# Whatever a script prints: each line of output is an object of JSON that
# doc/dtrace-output.schema.json allows. Of the scripts of these tests, on slow machines some.
# Without Python's jsonschema only the form is looked at; out/jsonschema.sh is skipped then and
# says so.
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
    lines = [json.loads(line) for line in open(name, "rb").read().decode().splitlines()]
    for line in lines:
        if "type" not in line or "timestamp" not in line:
            sys.exit("%s: no type or timestamp: %s" % (name, line))
    if not lines or lines[0]["type"] != "start" or lines[-1]["type"] != "exit":
        sys.exit("%s: it does not begin with a start and end with an exit" % name)
P
"$FIXTURE/validate" -m 200 "$SRC/doc/dtrace-output.schema.json" *.json || [ $? = 77 ]
