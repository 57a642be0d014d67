/*
 * print() of a pointer to what is translated shows what the translator makes, not the memory of
 * what it is made from.
 */
#pragma D option quiet
typedef struct in { int x; char *name; } in_t;
typedef struct out { int a; char text[6]; long not_made; string whole; } out_t;
translator out_t < in_t *p > { a = p->x + 1; text = "behind"; whole = "text"; };
translator out_t < int n > { a = n; };

BEGIN
{
	this->in = (in_t *)alloca(sizeof (in_t));
	this->in->x = 41;
	kept = xlate <out_t *>(this->in);
	print(xlate <out_t *>(this->in));
	print(kept);
	print(xlate <out_t *>(7));
	trace((uintptr_t)kept == (uintptr_t)this->in);
}

BEGIN
{
	printf("\n");
	print(curpsinfo);
	exit(0);
}
