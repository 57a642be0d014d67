/* @@opts: -x nofeat=all -x ncpus=4 */
/* Values that meet after branches share a register. */
BEGIN
{
	x = arg0 > arg1 ? arg0 * 3 : arg1 << 2;
}
