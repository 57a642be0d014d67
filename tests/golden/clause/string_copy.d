/* @@opts: -x nofeat=all -x ncpus=4 */
/* A string variable is copied, compared and recorded. */
string s;

BEGIN
/execname == "sh"/
{
	s = execname;
	trace(s);
}
