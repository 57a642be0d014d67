/* A bar for each key of count() and sum(), the others as ever. */
/* @@opts: -q -x agghist */
BEGIN
{
	@c["one", 1] = sum(1);
	@c["three", 2] = sum(3);
	@c["none", 2] = sum(0);
	@c["less", 2] = sum(-2);
	@n = count();
	@m["min"] = min(4);
	printa(@c);
	printa("%s %d %@d\n", @c);
	exit(0);
}
