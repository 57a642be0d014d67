/* @@opts: -x nofeat=all -x ncpus=4 */
/* @@kernel: */
/* A string of a process goes straight into the record. */
syscall::openat:entry
{
	printf("%s\n", copyinstr(arg1));
}
