# SPDX-License-Identifier: GPL-2.0-or-later
# Frames of user stacks have symbols in JSON too.
$DTRACE -x oformat=json -qn 'pid$target:calls:main:entry { ustack(1); exit(0); }' \
	-c 'calls -n 1' >out
grep -q '"symbol":"main"' out && grep -q '"module":"calls"' out || { cat out; exit 1; }
