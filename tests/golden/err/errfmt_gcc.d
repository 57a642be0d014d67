/* @@opts: -x errfmt=gcc */
BEGIN
{
	x = 1;
	trace(x);	y = strlen(no_such);
}
