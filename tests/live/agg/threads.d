/* Two threads on two CPUs add to the same keys at full speed. */
/* @@trigger: calls -n 100000 -t 2 */
#pragma D option quiet
syscall::getppid:entry
/pid == $target/
{
	@all = count();
	@name[execname] = count();
	@pid[pid == $target] = sum(3);
	@q = quantize(1);
	@two[execname, probefunc] = lquantize(tid % 1, 0, 2);
	self->n++;
	@most = max(self->n);
	@least = min(self->n);
	@avg = avg(self->n);
}
syscall::getppid:return
/pid == $target/
{
	@returns[probename] = count();
}
