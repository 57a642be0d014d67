# SPDX-License-Identifier: GPL-2.0-or-later
# That destructive actions are allowed is reported before tracing, not under -q.
# @@stderr: ^dtrace: (description|script) .* matched 1 probe$
# @@stderr: ^dtrace: allowing destructive actions$
cat >script.d <<'D'
#pragma D option destructive
BEGIN { exit(0); }
D
report() { "$@" 2>&1 >/dev/null | grep allowing || echo nothing; }
report $DTRACE -wn 'BEGIN { exit(0); }'
report $DTRACE -x destructive -n 'BEGIN { exit(0); }'
report $DTRACE -s script.d
report $DTRACE -wqn 'BEGIN { exit(0); }'
report $DTRACE -wn 'BEGIN { exit(0); }' -e
report $DTRACE -n 'BEGIN { exit(0); }'
