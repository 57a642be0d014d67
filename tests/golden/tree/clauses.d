/* Clauses, descriptions, predicates, statements. */
#pragma D option quiet
inline int LIMIT = 3;
struct point { int x, y; unsigned f : 3; };
self struct point *where;
int seen[string, int];

dtrace:::BEGIN, tick-10ms
/LIMIT > 2 && !self->where/
{
	this->a = (int)arg0 / 2;
	if (this->a > 1)
		@[probefunc, this->a] = count();
	else {
		@x = sum(this->a);
	}
	this->a ? printf("%d\n", this->a) : 1;
	seen["x", 1]++;
	self->busy = self->where->x << 2 | 1
}
