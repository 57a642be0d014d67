/* @@opts: -x nofeat=all -x ncpus=4 */
/* Both sides of && and ||, and an action in a branch. */
BEGIN
/arg0 && (arg1 || arg2)/
{
	arg1 ? trace(1) : trace(2);
}
