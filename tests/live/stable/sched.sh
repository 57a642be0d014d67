# sched: a command that sleeps, wakes and ends; what happens once for each sleep is as often as it.
$DTRACE -qn '
sched:::off-cpu /pid == $target/ { off++; last = args[0]->pr_lwpid == args[1]->pr_pid || args[1]->pr_pid != $target; }
sched:::sleep /pid == $target/ { asleep++; tests += curlwpsinfo->pr_state != SONPROC; }
sched:::preempt /pid == $target/ { preempted++; }
sched:::enqueue /args[1]->pr_pid == $target/ { in++; tests += args[2]->cpu_id < 0 || args[2]->cpu_id > 1000; }
sched:::dequeue /args[1]->pr_pid == $target/ { out++; tests += args[0]->pr_lwpid != $target; }
sched:::wakeup /args[1]->pr_pid == $target/ { woken++; tests += args[0]->pr_lwpid != $target; }
END {
	printf("asleep %d woken %d tests %d last %d\n", asleep > 0, woken > 0, tests, last);
	printf("off-cpu %d queues %d\n", off >= asleep + preempted, in >= asleep + preempted && out > 0 && out <= in);
}' -c 'sleep 0.05'
