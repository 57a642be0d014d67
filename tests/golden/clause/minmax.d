/* @@opts: -x nofeat=all -x ncpus=4 */
/* Aggregations without keys in one clause. */
BEGIN
{
	@a = min(arg0);
	@b = max(arg0);
	@c = avg(arg0);
}
