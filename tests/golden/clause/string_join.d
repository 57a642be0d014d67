/* @@opts: -x nofeat=all -x ncpus=4 */
/* A routine of strings produces its result in place. */
BEGIN
{
	trace(strjoin(execname, "!"));
}
