/*
 * Variables without a declaration and arithmetic on ints have 64 bits; a declared int and a cast
 * have 32.
 */
/* @@args: 3000 */
#pragma D option quiet
inline uint64_t LEAST = $1 * 1000000;
inline int SECOND = 1000000000;
int declared, declared2;
BEGIN
{
	secs = 10;
	since = timestamp;
	until = since + secs * 1000000000;
	printf("%d s, %d %d\n", (until - since) / SECOND, LEAST, 5 * SECOND > 3000000000);
	printf("%d %d %d\n", (uint64_t)4000000000 > $1 * 1000000, secs * SECOND > 2000000000,
	    secs * SECOND < 0);
	printf("%d %d\n", 5 * 1000000000, sizeof (5 * 1000000000));
	whole = secs * SECOND;
	printf("%d %d %d %d\n", whole, secs * SECOND, (int)(secs * SECOND),
	    (long)(int)(secs * SECOND));
	printf("%d %d\n", (long)(secs * SECOND), (long)-(secs * SECOND));
	printf("%d %d\n", (int64_t)(secs ? secs * SECOND : 0),
	    until - since + (secs > 20 ? 0 : secs * SECOND / 10));
	printf("%d %d\n", (uint64_t)(secs << 30), (int64_t)((secs * SECOND) % 7));
	@["summed"] = sum(secs * SECOND);
	@keys[secs * SECOND] = count();
	this->u = (unsigned int)secs;
	printf("%d\n", (uint64_t)(this->u * 1000000000));
	x = 0;
	x = 2800000000000;
	self->y = 1;
	self->y += 3000000000;
	this->z = (short)1;
	this->z += self->y;
	arr[0] = 1;
	arr[0] += 3000000000;
	self->arr["a"] = (unsigned char)1;
	self->arr["a"] = 3000000000;
	printf("%d %d %d %d %d\n", x, self->y, this->z, arr[0], self->arr["a"]);
	printf("%d %d %d %d\n", x > 2000000000, x / 1000000, x >> 40, x % 1000);
	printf("%d %d %d %d %d\n", sizeof(x), sizeof(this->z), sizeof(self->arr["a"]),
	    sizeof(x + 1), sizeof(-this->z));
	a = 3000000; b = 1000;
	printf("%d %d\n", a * b / 1000, -(a * b) / 1000);
	trace(a * b); trace(a); trace(-1);
	declared = a * b;
	declared2 = 5;
	declared2 *= 1000000000;
	printf("%d %d %d\n", declared, declared2, declared * 2 / 2);
	neg = -1;
	printf("%x %u %o %x %c%c\n", neg, neg, neg, neg - 4294967295, a - 2999935, b - 934);
	print(neg); print(x);
	u = (unsigned int)-1;
	printf("%d %d %d %d\n", u == -1, u + 1, neg < u, u - 5 < 0);
	@wide[a, x, neg] = count();
	exit(0);
}
