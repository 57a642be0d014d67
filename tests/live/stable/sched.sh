# sched: a command that sleeps, wakes and ends; what happens once for each sleep is as often as it.
$DTRACE -qn '
sched:::off-cpu /pid == $target/ { off++;
	last = args[0]->pr_lwpid == args[1]->pr_pid || args[1]->pr_pid != $target; }
sched:::off-cpu /pid == $target && curlwpsinfo->pr_state == SSLEEP/ { to_sleep++; }
sched:::sleep /pid == $target/ { asleep++; tests += curlwpsinfo->pr_state != SSLEEP; }
sched:::preempt /pid == $target/ { preempted++; tests += curlwpsinfo->pr_state != SRUN; }
sched:::enqueue /args[1]->pr_pid == $target/ { in++;
	tests += args[2]->cpu_id < 0 || args[2]->cpu_id > 1000; }
sched:::dequeue /args[1]->pr_pid == $target/ { out++; tests += args[0]->pr_lwpid != $target; }
sched:::wakeup /args[1]->pr_pid == $target/ { woken++; tests += args[0]->pr_lwpid != $target; }
END {
	printf("asleep %d woken %d tests %d last %d\n", asleep > 0, woken > 0, tests, last);
	printf("state %d\n", to_sleep == asleep);
	printf("off-cpu %d queues %d\n", off >= asleep + preempted, in >= asleep + preempted &&
	    out > 0 && out <= in);
}' -c 'sleep 0.05'

# Two that want one CPU: the one that loses it could go on.
cat >busy <<'W'
i=0
while [ $i -lt 30000 ]; do i=$((i + 1)); done
W
$DTRACE -qn 'sched:::off-cpu /pid == $target && curlwpsinfo->pr_state == SRUN/ { runs++;
	bad += curlwpsinfo->pr_sname != 0x52; }
sched:::preempt /pid == $target/ { lost++; }
END { printf("lost %d %d bad %d\n", lost > 0, runs == lost, bad); }' \
	-c "taskset -c 0 sh -c 'sh busy & . ./busy; wait'"
