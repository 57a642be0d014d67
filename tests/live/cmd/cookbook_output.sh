# SPDX-License-Identifier: GPL-2.0-or-later
# Recipes of doc/cookbook.md for output, drops and long runs.
# @@status: 1
# @@stderr: ^dtrace: (description|script) ('.*'|') matched [0-9]+ probes?$
# @@stderr: ^dtrace: pid [0-9]+ has exited$
# @@drops: .
sections='Drops|JSON|timeline|page|days|tested|Record'
documents=doc/cookbook.md strict=yes
. "$FIXTURE/documents"

# The service: its file is valid, and its script is that of the recipe with such intervals.
if [ -e dtrace-failures.service ]; then
	sed "s,/usr/local/sbin/dtrace,$DTRACE_PROGRAM," dtrace-failures.service >dt-checked.service
	! command -v systemd-analyze >/dev/null || systemd-analyze verify ./dt-checked.service
	sed -n 's,^ExecStart=/usr/local/sbin/dtrace -s /etc/dtrace/,,p' dtrace-failures.service \
		>arguments
	$DTRACE -e -c true -s $(cat arguments)
fi
