/* @@opts: -x nofeat=all -x ncpus=4 */
/* A sum of squares takes two words. */
BEGIN
{
	@ = stddev(arg0);
}
