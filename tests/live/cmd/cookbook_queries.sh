# SPDX-License-Identifier: GPL-2.0-or-later
# Recipes of doc/cookbook.md for databases, with a PostgreSQL server of its own.
# @@stderr: ^dtrace: (description|script) ('.*'|') matched [0-9]+ probes?$
# @@stderr: ^dtrace: pid [0-9]+ has exited$
sections='queries'
if [ -z "${SLOW:-}${SHARE:-}" ] && [ -e /usr/lib/postgresql/15/bin/postgres ] &&
	command -v psql setpriv >/dev/null; then
	. "$FIXTURE/pgserver"
	at_end=end_pgserver
fi
least=2 documents=doc/cookbook.md strict=yes
. "$FIXTURE/documents"
