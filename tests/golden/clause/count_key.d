/* @@opts: -x nofeat=all -x ncpus=4 */
/* A key of one integer. */
BEGIN
{
	@[pid] = count();
}
