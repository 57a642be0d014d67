/*
 * What is close to an error and is none: a null pointer, an array at a struct's end, unsigned
 * enumerators.
 */
enum flags { A = 0x80000000, B = 4294967295U, C = -2147483647 - 1 };
enum { D };
struct s { int n; char a[1]; };
struct s v;
char *p;

BEGIN
{
	p = 0;
	p = NULL;
	self->q = (char *)arg0;
	self->q = NULL;
	trace(v.a[7]);
	freopen("");
}

/* Names of functions that only dt has may be those of inlines. */
inline string signame[int n] = "none";
inline int exists = 1;
BEGIN { trace(signame[exists]); }
