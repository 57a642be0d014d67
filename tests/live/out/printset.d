/* @@opts: -q -x printsize=8 */
/*
 * How much print() shows can be changed while tracing; where a value ends early, "..." stands
 * before the ends of its structures.
 */
struct part { short lo, hi; };
struct whole { int n; char text[3]; struct part p; unsigned char bytes[4];
	struct part q[2]; long last; };
BEGIN
{
	this->w = (struct whole *)alloca(sizeof(struct whole));
	this->w->n = -1;
	this->w->text[0] = 'a';
	this->w->text[1] = 'b';
	this->w->p.hi = 3;
	this->w->bytes[1] = 'c';
	this->w->q[1].lo = 4;
	this->w->last = 5;
	print(this->w);
	setopt("printsize", "12");
	print(this->w);
	setopt("printsize", "14");
	print(this->w);
	setopt("printsize", "24");
	print(this->w);
	setopt("printsize", "1k");
	print(this->w);
	print((char *)"text");
	exit(0);
}
