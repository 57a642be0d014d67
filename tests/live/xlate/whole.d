/*
 * Translated structs as a whole: assigned, kept, recorded, as arms of a condition, inside each
 * other.
 */
#pragma D option quiet
typedef struct in { int x; int y[3]; } in_t;
typedef struct out {
	int a;
	char text[6];
	char same[8];
	in_t in;
	unsigned int low:4, high:4;
	long not_made;
	int list[3];
} out_t;
typedef struct two { out_t first; int n; } two_t;
in_t g;
translator out_t < int n > {
	a = n;
	text = n == 1 ? "1" : "long text";
	in = g;
	low = n;
	high = n + 1;
	list = g.y;
};
translator out_t < in_t *p > { a = p->x; list = p->y; };
translator two_t < int n > { first = xlate <out_t>(n); n = n + 1; };
self out_t saved;
out_t both[int];

BEGIN
{
	g.x = 11;
	g.y[2] = 13;
	this->o = xlate <out_t>(5);
	self->saved = xlate <out_t>(17);
	both[2] = xlate <out_t>(1);
	pair = xlate <two_t>(3);
	this->p = xlate <out_t *>(7);
	other = *this->p;
}

BEGIN
{
	printf("%d %s %d %d %d %d %d %d\n", this->o.a, stringof(this->o.text),
	    this->o.in.x, this->o.in.y[2], this->o.low,
	    this->o.high, this->o.not_made, this->o.list[2]);
	printf("%d %s %d %d\n", self->saved.a, stringof(self->saved.text),
	    self->saved.low, self->saved.list[2]);
	printf("%d %s %d\n", both[2].a, stringof(both[2].text), both[3].a);
	printf("%d %d %s\n", pair.n, pair.first.a, stringof(pair.first.text));
	printf("%d %d\n", other.a, other.in.y[2]);
	x = 1;
	this->c = x ? xlate <out_t>(21) : xlate <out_t>(22);
	printf("%d\n", this->c.a);
	this->c = x == 2 ? xlate <out_t>(21) : xlate <out_t>(22);
	printf("%d\n", this->c.a);
	this->q = (in_t *)alloca(sizeof (in_t));
	this->q->x = 31;
	this->q->y[1] = 32;
	this->c = xlate <out_t>(this->q);
	printf("%d %d %s\n", this->c.a, this->c.list[1], stringof(this->c.text));
	exit(0);
}
