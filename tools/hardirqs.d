#!/usr/sbin/dtrace -s
/*
 * hardirqs: time in interrupt handlers, by device
 *
 * Usage: dtrace -x tool=hardirqs [SECONDS]
 *	SECONDS  end after so many seconds (default: at Ctrl-C)
 *
 * Number and microseconds, of the whole machine.
 *
 * Example:
 *	# dtrace -x tool=hardirqs 5
 *	DEVICE                IRQ     COUNT   TIME(us)   MAX(us)
 *	virtio0-req.0          25       310       1402        22
 */
#pragma D option quiet
#pragma D option defaultargs

sdt:irq::irq_handler_entry
{
	since[cpu] = timestamp;
	device[cpu] = args->name;
}

sdt:irq::irq_handler_exit
/since[cpu]/
{
	@count[device[cpu], args->irq] = count();
	@time[device[cpu], args->irq] = sum(timestamp - since[cpu]);
	@max[device[cpu], args->irq] = max(timestamp - since[cpu]);
	since[cpu] = 0;
}

dtrace:::END
{
	normalize(@time, 1000);
	normalize(@max, 1000);
	printf("%-20s %4s %9s %10s %9s\n", "DEVICE", "IRQ", "COUNT", "TIME(us)", "MAX(us)");
	printa("%-20s %4d %@9d %@10d %@9d\n", @count, @time, @max);
}

profile:::tick-1sec
/$1 && ++seconds == $1/
{
	exit(0);
}
