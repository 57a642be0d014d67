# SPDX-License-Identifier: GPL-2.0-or-later
# Recipes of doc/cookbook.md for scripts that fail.
# @@status: 1
# @@stderr: ^dtrace: (description|script) ('.*'|') matched [0-9]+ probes?$
# @@stderr: ^dtrace: (pid [0-9]+ has exited$|invalid probe specifier |error in clause |failed to load the program )
sections='fails'
documents=doc/cookbook.md strict=yes
. "$FIXTURE/documents"
