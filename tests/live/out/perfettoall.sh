# SPDX-License-Identifier: GPL-2.0-or-later
# Whatever a script prints: events that readers of timelines accept. Of the scripts of these tests,
# on slow machines some.
# @@once: the format is not the kernel's
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: [0-9]+ failed speculation \(no speculative buffer
# @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+ 
# @@stderr: ^dtrace: setopt\( \): failed to set option 'stackindent': Invalid
# @@stderr: ^dtrace: setopt\( \): failed to set option 'strsize': Operation
# @@stderr: ^dtrace: setopt\( \): failed to set option '(nothing|quiet|bufsize)': 
command -v python3 >/dev/null || { echo "needs cmd:python3"; exit 77; }
. "$FIXTURE/everyscript"
every_script perfetto
"$FIXTURE/timeline" -q -u ./*.d.perfetto
