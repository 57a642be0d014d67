/* @@opts: -x nofeat=all -x ncpus=4 */
/* A clause that speculates, one that commits. */
BEGIN
{
	self->s = speculation();
}

BEGIN
{
	speculate(self->s);
	trace(arg0);
}

BEGIN
{
	commit(self->s);
}
