/* @@opts: -x nofeat=all -x ncpus=4 */
/* What is used twice is fetched once. */
BEGIN
{
	printf("%d %d %s %s", pid, pid, execname, execname);
	@[pid] = count();
	@[pid] = count();
}
