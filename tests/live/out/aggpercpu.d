/* What each CPU has, behind the total. */
/* @@opts: -q -x aggpercpu */
BEGIN
{
	@c["a", 1] = sum(5);
	@q = quantize(4);
	@m = min(-3);
	normalize(@c, 2);
	printa(@c, @c);
	exit(0);
}
