/* @@opts: -x errfmt=json */
BEGIN
{
	x = 1;
	trace(x);	y = strlen(no_such);
}
