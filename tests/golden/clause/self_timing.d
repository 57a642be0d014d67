/* @@opts: -x nofeat=all -x ncpus=4 */
/* @@kernel: */
/* The common pair: time at entry, difference at return. */
syscall::read:entry
{
	self->ts = timestamp;
}

syscall::read:return
/self->ts/
{
	@[execname] = quantize(timestamp - self->ts);
	self->ts = 0;
}
