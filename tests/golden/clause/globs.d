/* @@opts: -x nofeat=all -x ncpus=4 */
/* @@kernel: */
/* A glob is one program for all that it matches. */
syscall::*chdir:
{
	@[probefunc, probename] = count();
}
