/* @@opts: -x nofeat=all -x ncpus=4 */
/* BEGIN, END and ERROR. */
BEGIN
{
	trace(1 / arg0);
}

ERROR
{
	exit(1);
}

END
{
}
