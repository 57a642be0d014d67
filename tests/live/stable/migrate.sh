# SPDX-License-Identifier: GPL-2.0-or-later
# A thread that is moved leaves one queue before it enters the other, whatever the order of the
# script's clauses.
# @@needs: cmd:taskset
[ "$(getconf _NPROCESSORS_ONLN)" -ge 2 ] || { echo "one CPU"; exit 77; }
sh -c 'while :; do :; done' &
trap 'kill $!' EXIT
cat >moves <<'S'
for i in 1 2 3 4; do taskset -p 1 $1; taskset -p 2 $1; done >/dev/null
S
$DTRACE -qn 'int left, any; sched::sched_migrate_task:enqueue /any && args[1]->pr_pid == $1/ { n++;
	bad += !left; left = 0; }
	sched::sched_migrate_task:dequeue /args[1]->pr_pid == $1/ { left = any = 1; }
	END { printf("%d %d\n", n >= 6, bad); }' -c "sh moves $!" $!
