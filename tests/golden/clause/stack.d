/* @@opts: -x nofeat=all -x ncpus=4 */
/* A stack as a record and as a key. */
BEGIN
{
	stack(4);
	@[stack(2)] = count();
}
