/* @@opts: -x nofeat=all -x ncpus=4 */
/* A key of two parts, one of them a string. */
BEGIN
{
	@[execname, cpu] = sum(arg0);
}
