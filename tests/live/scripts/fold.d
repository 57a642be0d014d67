/*
 * "?:" of a constant folds before types are looked at: one aggregation with other keys in the dead
 * branch, A && ! B of inlines.
 */
#pragma D option quiet

inline int OPT_user = 0;
inline int OPT_long = 1;
inline int OPT_both = OPT_long && ! OPT_user;
inline string NAME = ".";

BEGIN
{
	OPT_user ? @num[probefunc, execname, pid] = count() : (@num[probename] = count());
	OPT_both ? @len["x", 1] = sum(5) : (@len["x"] = count());
	! OPT_long && OPT_user ? printf("%s", nothing->at_all) : 1;
	OPT_both ? printf("both\n") : 1;
	this->ok = (OPT_user == 1 && NAME == execname) ? 1 : 0;
	OPT_user || (OPT_both && ! this->ok) ? printf("ok\n") : 1;
	exit(0);
}

END
{
	OPT_user ? printa("%s %s %d %@d\n", @num) : printa("%s %@d\n", @num);
	! OPT_both ? printa("%s %@d\n", @len) : printa("%s %d %@d\n", @len);
}
