/* @@opts: -x nofeat=all -x ncpus=4 */
/* Scratch memory of a firing. */
BEGIN
{
	this->p = (int *)alloca(8);
	*this->p = arg0;
	trace(*this->p);
}
