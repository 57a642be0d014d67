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
# Not the moves between a queue and a CPU: now and then this kernel runs no sched_switch for one
# (ftrace lacks it, too).
$DTRACE -qn 'int left, any;
	sched:::enqueue /probefunc == "sched_migrate_task" && any && args[1]->pr_pid == $1/ {
		n++; bad += !left; left = 0; }
	sched:::dequeue /probefunc == "sched_migrate_task" && args[1]->pr_pid == $1/ {
		left = any = 1; }
	END { printf("%d %d\n", n >= 6, bad); }' -c "sh moves $!" $!
