/* @@opts: -x nofeat=all -x ncpus=4 */
/* A predicate, a record reserved, filled in and submitted; a division that may fault. */
BEGIN
/arg0 != 3/
{
	x = arg0 + 1;
	printf("%d %s\n", 100 / x, execname);
}
