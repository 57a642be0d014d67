/* @@opts: -x nofeat=all -x ncpus=4 */
/* Two faults of a clause: each has its place. */
BEGIN
{
	trace(arg0 / arg1);
	trace(arg0 % arg2);
}
