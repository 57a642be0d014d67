/* @@opts: -q */
/* @@err: */
/*
 * Structs as values: every kind of variable to every other; 0 is zero; what is only read is not
 * made; faults change nothing.
 */
struct pt { int x; char name[5]; long y; };
struct big { long v[40]; };
struct pt a, g;
struct pt el[int];
self struct pt sp;
this struct pt tp;
struct { int n; struct pt in; } outer;
struct big b, c;
this struct big tb;

BEGIN
{
	a.x = 3;
	a.y = 7;
	g = a;
	this->tp = g;
	self->sp = this->tp;
	el[1] = self->sp;
	el[2] = el[1];
	g = el[2];
	printf("%d %d, %d %d\n", g.x, g.y, el[1].x, self->sp.y);
	outer.in = el[2];
	el[3] = outer.in;
	printf("%d %d %d\n", outer.n, outer.in.x, el[3].y);
	this->z = el[9];
	printf("%d %d\n", this->z.x, this->z.y);
}

BEGIN
{
	el[1] = 0;
	self->sp = 0;
	printf("%d %d, %d\n", el[1].x, self->sp.y, this->tp.x);
	this->q = a.x ? a : el[2];
	this->r = a.x == 4 ? a : el[1];
	printf("%d %d\n", this->q.x, this->r.x);
	a = 0;
	trace(g);
	printf("\n%d\n", a.x);
	this->p = (struct pt *)alloca(sizeof (struct pt));
	*this->p = g;
	printf("%d %d\n", this->p->x, this->p->y);
}

BEGIN
{
	b.v[0] = 1;
	b.v[39] = 2;
	this->tb = b;
	c = this->tb;
	printf("%d %d %d\n", c.v[0], c.v[20], c.v[39]);
}

BEGIN
{
	g = *(struct pt *)8;
}

BEGIN
{
	printf("still %d\n", g.x);
	exit(0);
}
