#!/usr/sbin/dtrace -s
/*
 * softirqs: time in soft interrupts, by kind
 *
 * Usage: dtrace -x tool=softirqs [SECONDS]
 *	SECONDS  end after so many seconds (default: at Ctrl-C)
 *
 * Number and microseconds, of the whole machine.
 *
 * Example:
 *	# dtrace -x tool=softirqs 5
 *	KIND             COUNT   TIME(us)   MAX(us)
 *	rcu                310        402        12
 *	timer              421        980        40
 */
#pragma D option quiet
#pragma D option defaultargs

dtrace:::BEGIN
{
	name[0] = "hi";
	name[1] = "timer";
	name[2] = "net-tx";
	name[3] = "net-rx";
	name[4] = "block";
	name[5] = "irq-poll";
	name[6] = "tasklet";
	name[7] = "sched";
	name[8] = "hrtimer";
	name[9] = "rcu";
}

sdt:irq::softirq_entry
{
	since[cpu] = timestamp;
}

sdt:irq::softirq_exit
/since[cpu]/
{
	@count[name[args->vec]] = count();
	@time[name[args->vec]] = sum(timestamp - since[cpu]);
	@max[name[args->vec]] = max(timestamp - since[cpu]);
	since[cpu] = 0;
}

dtrace:::END
{
	normalize(@time, 1000);
	normalize(@max, 1000);
	printf("%-12s %9s %10s %9s\n", "KIND", "COUNT", "TIME(us)", "MAX(us)");
	printa("%-12s %@9d %@10d %@9d\n", @count, @time, @max);
}

profile:::tick-1sec
/$1 && ++seconds == $1/
{
	exit(0);
}
