/* The complement of an unsigned value has the bits of its type, also in an undeclared variable. */
uint32_t declared;

BEGIN
{
	x = (uint32_t)5;
	this->y = 7u;
	self->a[1] = (unsigned short)1;
	z = 5;
	trace(~x);
	trace(~this->y & 0xff);
	trace(~self->a[1]);
	trace(~declared);
	trace(~z);
	x |= ~x;
	w = x & ~(uint64_t)1;
}
