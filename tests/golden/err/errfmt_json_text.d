/* @@opts: -x errfmt=json */
BEGIN
{
	trace("a\"\t" + 1);
}
