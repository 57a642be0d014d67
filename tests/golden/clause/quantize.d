/* @@opts: -x nofeat=all -x ncpus=4 */
/* The bucket is the number of leading zeroes. */
BEGIN
{
	@ = quantize(arg0);
}
