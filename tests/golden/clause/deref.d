/* @@opts: -x nofeat=all -x ncpus=4 */
/* A pointer into the kernel is read with a check. */
BEGIN
{
	trace(*(int *)arg0);
	trace(((char *)arg1)[3]);
}
