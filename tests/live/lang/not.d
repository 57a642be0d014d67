/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ~ of unsigned variables has the bits of their types; of others all 64. */
#pragma D option quiet

BEGIN
{
	x = (uint32_t)5;
	this->y = 7u;
	self->c = (unsigned char)1;
	a["k"] = (uint32_t)1;
	z = 5;
	q = 5ull;
	printf("%x %u %d %u\n", ~x, ~this->y, ~self->c, ~a["k"]);
	printf("%d %x\n", ~z, ~q);
	z = 5000000000;
	printf("%d\n", ~z);
	x |= ~x;
	printf("%x\n", x);
	exit(0);
}
