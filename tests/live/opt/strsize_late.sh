# SPDX-License-Identifier: GPL-2.0-or-later
# A string's size cannot change any more when a structure has been laid out with it; it can where
# none has.
# @@status: 1
printf '%s\n' '#pragma D option strsize=512' 'BEGIN { printf("%d\n", sizeof (string));
	exit(0); }' >second.d
printf '%s\n' 'struct q { string s; } q;' >strings.d
printf '%s\n' 'struct q { int i; } q;' >numbers.d
$DTRACE -e -s strings.d -s second.d 2>&1 || echo "status $?"
$DTRACE -q -s numbers.d -s second.d 2>&1
$DTRACE -q -x strsize=512 -s strings.d -s second.d 2>&1
