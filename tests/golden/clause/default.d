/* @@opts: -x nofeat=all -x ncpus=4 */
/* @@kernel: */
/* No action: a record that is only its header. */
syscall::read:entry
{
}

syscall::write:entry
{
	trace(arg2);
}
