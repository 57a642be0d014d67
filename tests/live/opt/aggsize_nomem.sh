# SPDX-License-Identifier: GPL-2.0-or-later
# Where the kernel has no memory for aggregations, the message says how much they need.
! LD_PRELOAD=$BUILD/tests/fixture/nomem.so NOMEM=dt_agg1_1 "$DTRACE_PROGRAM" -x aggsize=1m -qn '
	BEGIN { @one[pid] = count(); @two[pid] = count(); exit(0); }' 2>err || exit 1
cat err
text='failed to create the maps of aggregations: Cannot allocate memory; 4.[0-9]m are needed'
grep "^dtrace: $text: use a smaller aggsize\$" err
[ "$(wc -l <err)" = 1 ]
