/* @@opts: -x nofeat=all -x ncpus=4 */
/* An associative array: written, read and deleted. */
BEGIN
{
	a[arg0, "k"] = arg1;
	trace(a[arg0, "k"]);
	a[arg0, "k"] = 0;
}
