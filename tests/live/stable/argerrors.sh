# SPDX-License-Identifier: GPL-2.0-or-later
# What is wrong with an argument of a stable provider is reported at its place in the script.
# @@status: 1
# @@stderr: ^dtrace: failed to compile script e\.d: line [234]:
# @@stderr: ^	(conversion|prototype| prototype|  argument):
cat >e.d <<'E2'
BEGIN { exit(0); }
sched:::enqueue { trace(args[2]->nosuch); }
fsinfo:::read { trace(args[0]->nosuch); }
sched:::wakeup { printf("%s", args[0]); }
E2
! $DTRACE -es e.d 2>err || exit 1
for n in 2 3 4; do grep -q "^dtrace: failed to compile script e.d: line $n: " err || exit 1; done
