/* @@kernel: */
/* @@opts: -x nofeat=all -x ncpus=4 */
/* Data of the kernel: typed by BTF, by our table, not at all; of each CPU. */
BEGIN
{
	a = `typed_int;
	b = `jiffies;
	c = `avenrun[1];
	d = `init_task.real_parent->pid;
	e = *(int *)&`untyped_data;
	f = `runqueues.nr_running + `runqueues.curr->pid;
	g = `untyped_function;
	h = &`runqueues;
	i = *(char *)&horse`horse_data;
	j = horse`ride_horse == &`kick_task;
}
