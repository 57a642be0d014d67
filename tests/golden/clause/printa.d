/* @@opts: -x nofeat=all -x ncpus=4 */
/* Actions on aggregations record nothing but that they were met. */
BEGIN
{
	@[pid] = count();
	printa(@);
	clear(@);
	trunc(@, 3);
}
