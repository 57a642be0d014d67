# SPDX-License-Identifier: GPL-2.0-or-later
# A script that is only compiled does not take all of the memory.
# @@status: 1
# @@stderr: ^dtrace: out of memory$
# @@once:
{ echo 'BEGIN { x[pid'; yes ',pid' | head -60000; echo '] = 1; }'; } >keys.d
! $DTRACE -es keys.d 2>err || exit 1
grep -x 'dtrace: out of memory' err
