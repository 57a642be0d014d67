# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of README.md, HACKING.md, CONTRIBUTING.md and doc/*.md, as tests/fixture/documents
# says.
# @@status: 1
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: (pid [0-9]+ has exited|warning: system calls by their older names)
# @@stderr: ^dtrace: DTRACE_OPT_[a-z]+ is ignored with these rights
# @@stderr: ^dtrace: warning: .*this kernel does not let its functions be traced
documents="README.md HACKING.md CONTRIBUTING.md $(cd "$SRC" && ls doc/*.md | grep -v /cookbook.md)"
. "$FIXTURE/documents"
