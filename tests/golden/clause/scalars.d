/* @@opts: -x nofeat=all -x ncpus=4 */
/* Global, thread and clause variables of each size. */
int g;
self char c;
this short s;

BEGIN
{
	this->s = arg0;
	self->c = this->s;
	g += self->c;
}
