/* @@opts: -x nofeat=all -x ncpus=4 */
/* Memory that is copied and recorded as bytes. */
BEGIN
{
	this->p = alloca(16);
	bcopy((void *)arg0, this->p, 16);
	tracemem(this->p, 16);
}
