# SPDX-License-Identifier: GPL-2.0-or-later
# -S ends with the variables: kind, scope, where each is in its memory, size and type.
$DTRACE -S -e -n 'int n; string s; char c[3]; BEGIN { n = 1; self->t = (short)n; this->p = &n;
	a[n, "key"] = 2LL; @[n] = count(); @m = max(n); trace(s); trace(c[0]); }' \
	2>&1 | sed -n '/^NAME/,$p'
$DTRACE -S -e -n 'BEGIN { trace(curpsinfo->pr_fname); }' 2>&1 | sed -n '/^NAME/,$p'
