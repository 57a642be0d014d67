/* @@opts: -x nofeat=all -x ncpus=4 */
/* Logarithmic and linear. */
BEGIN
{
	@ = llquantize(arg0, 10, 0, 3, 10);
}
