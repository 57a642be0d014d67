/* @@opts: -x nofeat=all -x ncpus=4 */
/* exit() stops the other programs. */
BEGIN
{
	exit(3);
}
