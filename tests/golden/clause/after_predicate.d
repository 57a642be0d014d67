/* @@opts: -x nofeat=all -x ncpus=4 */
/* What a clause fetched after its predicate is fetched again by the next one, which runs in any
 * case; what came before it is not. */
BEGIN
/execname == "a"/
{
	@a[pid] = count();
}

BEGIN
{
	@b[pid, execname] = count();
}
