/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of more than 64 bits are values in memory: printed, assigned, keys. */
#pragma D option quiet
typedef __int128 wide_t;
typedef unsigned __int128 __u128 __attribute__((aligned(16)));
struct wide { wide_t a; __u128 b; __uint128_t c; __int128_t d; long double e; };

BEGIN
{
	printf("%d %d %d\n", sizeof(struct wide), sizeof(unsigned __int128),
	    offsetof(struct wide, e));
	this->w = (struct wide *)alloca(sizeof(struct wide));
	*(uint64_t *)&this->w->b = 0x1122334455667788;
	*((uint64_t *)&this->w->b + 1) = 0x99aabbccddeeff00;
	print(this->w->b);
	printf("\n%.2Lf\n", this->w->e);
	trace(this->w->b);
	x = this->w->b;
	self->y = x;
	print(self->y);
	printf("\n%x %x\n", *(uint64_t *)&self->y, *((uint64_t *)&x + 1));
	@[this->w->b, x] = count();
	@[self->y, this->w->c] = count();
	exit(0);
}
