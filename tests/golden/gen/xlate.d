/*
 * A translator's member is its expression, and only of that member; a pointer made by one is a
 * number.
 */
struct out { int a; uint8_t b; char text[8]; unsigned bits:3; int never; };
translator struct out < uint64_t n > { a = n + 1; b = 300; text = probename;
	bits = n; never = arg0; };
inline struct out *here = xlate <struct out *>(timestamp);

provider app {
	probe query__start(int id, char *text) : (char *text, int id);
	probe done();
};
#pragma D attributes Evolving/Evolving/ISA provider app args

BEGIN
{
	x = xlate <struct out>(pid).a;
	this->p = here;
	y = this->p->b + (*this->p).a;
	trace(this->p->text);
	z = xlate <struct out>(y).bits;
}
