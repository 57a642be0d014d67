# SPDX-License-Identifier: GPL-2.0-or-later
# -x maxframes bounds every stack, whatever it asks for.
frames() {
	$DTRACE "$@" -qn 'BEGIN { stack(20); exit(0); }' | grep -c .
}
all=$(frames -x stackframes=20)
[ "$all" -gt 2 ] || { echo "BEGIN has $all frames only"; exit 77; }
[ "$(frames -x maxframes=2)" = 2 ] || { echo "maxframes=2: not 2 frames" >&2; exit 1; }
[ "$(frames -x maxframes=100)" = "$all" ] || { echo "maxframes=100: not $all frames" >&2; exit 1; }
