# SPDX-License-Identifier: GPL-2.0-or-later
# Whatever a script prints: a document of XML, in which each firing and each message has a line. Of
# the scripts of these tests, on slow machines some.
# @@once: the format is not the kernel's
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: [0-9]+ failed speculation \(no speculative buffer
# @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+ 
# @@stderr: ^dtrace: setopt\( \): failed to set option 'stackindent': Invalid
# @@stderr: ^dtrace: setopt\( \): failed to set option 'strsize': Operation
# @@stderr: ^dtrace: setopt\( \): failed to set option '(nothing|quiet|bufsize)': 
command -v python3 >/dev/null || { echo "needs cmd:python3"; exit 77; }
. "$FIXTURE/everyscript"
every_script xml
python3 - *.xml <<'P'
import sys
from xml.etree import ElementTree
for name in sys.argv[1:]:
    text = open(name, "rb").read().decode()
    try:
        top = ElementTree.fromstring(text)
        assert top.tag == "dtrace" and [e.tag for e in top] == ["probes"], "another frame"
        lines = list(top[0])
        assert text.count("\n") == len(lines) + 5, "not a line each"
        assert all(e.find("timestamp") is not None for e in lines), "no time"
        at = [e.tag for e in lines].index("exit")
        assert at == len(lines) - 1, "it does not end with an exit"
    except Exception as why:
        sys.exit("%s: %s" % (name, why))
P
! command -v xmllint >/dev/null || xmllint --noout ./*.xml
