/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structs, unions, bit-fields, enumerations, typedefs as variables of every scope. */
#pragma D option quiet

typedef unsigned int count_t;
enum colour { RED, GREEN = 5, BLUE, };
struct point { int x, y; };
struct all {
	char c;
	count_t n;
	struct point at;
	struct point list[2];
	union { uint32_t word; uint8_t byte[4]; };
	char name[8];
	enum colour colour;
};
struct bits {
	unsigned int a:1;
	unsigned int b:7;
	int c:24;
	uint64_t d:40;
};

struct all g;
self struct all t;
this struct all h;
struct point byname[string];
struct bits b;
self struct bits tb;
enum colour e;
count_t n;

BEGIN
{
	g.c = 'x';
	g.n = -1;
	g.at.x = 3;
	g.at.y = -g.at.x;
	i = 1;
	g.list[i].x = 8;
	g.list[0].y = 9;
	g.word = 0x04030201;
	g.byte[3]++;
	g.name[0] = 'n';
	g.name[1] = '\0';
	g.colour = BLUE;
	printf("%c %u %d %d %d %d %x %d %s %d\n", g.c, g.n, g.at.x, g.at.y, g.list[1].x,
	    g.list[0].y, g.word, g.byte[1],
	    g.name, g.colour);
	self->t = g;
	self->t.at.x++;
	this->h = self->t;
	this->h.at.x++;
	printf("%d %d %d %s %d\n", g.at.x, self->t.at.x, this->h.at.x, this->h.name,
	    this->h.list[1].x);
	byname["a"] = this->h.at;
	byname["b"].x = 50;
	byname["b"].y -= 6;
	byname["c"] = byname["a"];
	byname["c"].x *= 2;
	printf("%d %d %d %d %d %d\n", byname["a"].x, byname["a"].y, byname["b"].x,
	    byname["b"].y, byname["c"].x, byname["d"].x);
}

BEGIN
{
	p = (struct point *)alloca(sizeof (struct point));
	p->x = 21;
	p->y = 22;
	g.at = *p;
	pp = &g.at;
	printf("%d %d\n", pp->y, (*pp).x);
	printf("%d %d %d\n", g.at.x, g.at.y, this->h.at.x);
	b.a = 3;
	b.b = 127;
	b.c = -5;
	b.d = 0xffffffffff;
	b.b += 2;
	b.c -= 3;
	b.a ^= 1;
	printf("%d %d %d %x\n", b.a, b.b, b.c, b.d);
	self->tb = b;
	self->tb.d >>= 36;
	self->tb.c++;
	printf("%d %d %d %d\n", self->tb.d, self->tb.c, b.c, sizeof (struct bits));
	e = GREEN;
	e++;
	n = e + RED;
	printf("%d %d %d\n", e, n, e == BLUE ? RED : GREEN);
	printf("%d %d %d %d\n", sizeof (struct all), sizeof (g.list), sizeof (count_t),
	    sizeof (enum colour));
	printf("%d %d %d %d\n", offsetof(struct all, n), offsetof(struct all, at),
	    offsetof(struct all, word),
	    offsetof(struct all, colour));
	exit(0);
}
