/* What is larger than printsize is shown in part. */
/* @@opts: -q -x printsize=10 */
struct s { long a; short b, c; };
struct s x;
string t;

BEGIN
{
	x.a = 1;
	x.b = 2;
	x.c = 3;
	t = "more than ten bytes";
	print(x);
	print(&x);
	print(t);
	exit(0);
}
