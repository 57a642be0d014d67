/* @@opts: -x nofeat=all -x ncpus=4 */
/* Counting without keys: no helper but the CPU's number. */
BEGIN
{
	@ = count();
}
