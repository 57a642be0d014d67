/* @@opts: -x nofeat=all -x ncpus=4 */
/* An action that may be skipped has a byte in the record. */
BEGIN
{
	if (arg0 > 2)
		trace(arg0);
	else
		trace("none");
}
