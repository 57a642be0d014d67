/* @@opts: -x nofeat=all -x ncpus=4 */
/* Constant limits. */
BEGIN
{
	@ = lquantize(arg0, 0, 100, 10);
}
