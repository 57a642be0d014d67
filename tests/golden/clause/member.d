/* @@opts: -x nofeat=all -x ncpus=4 */
/* @@kernel: */
/* Members of a structure of the kernel. */
BEGIN
{
	trace(curthread->pid);
}
