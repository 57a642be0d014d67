/* @@opts: -x nofeat=all -x ncpus=4 */
/* Clauses of one probe: a fault of the first does not end the second. */
BEGIN
{
	x = 1 / arg0;
}

BEGIN
{
	trace(x);
}
