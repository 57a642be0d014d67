/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pointers into the firing's own memory: arithmetic by the size of what they point to, comparison,
 * stores, casts.
 */
#pragma D option quiet

struct node {
	int value;
	struct node *next;
	char name[8];
	struct { short x, y; } at[2];
};

int *gp;
int g;

BEGIN
{
	p = (int *)alloca(32);
	p[0] = 7;
	*(p + 1) = -9;
	*(2 + p) = 11;
	q = p + 3;
	*q = 13;
	printf("%d %d %d %d\n", *p, p[1], *(q - 1), q[0]);
	printf("%d %d %d\n", q - p, (char *)q - (char *)p, (q - 2) - p);
	printf("%d%d%d%d%d%d\n", p == q, p != q, p < q, p <= q, p > q, p >= q);
	printf("%d%d%d%d\n", p == NULL, p != 0, !p, p && q);
	r = p;
	r++;
	++r;
	r += 1;
	printf("%d %d\n", *r, r == q);
	r--;
	r -= 2;
	printf("%d %d\n", *r, r == p);
	printf("%d %d\n", *r++, *r);
	(*p)++;
	p[1] += 10;
	++*q;
	printf("%d %d %d\n", p[0], p[1], *q);
	/* bytes of an integer, little and big parts */
	b = (uint8_t *)p;
	*(uint32_t *)b = 0x01020304;
	printf("%d %d %x %x\n", b[0], *(b + 3), *(uint16_t *)b, *((uint16_t *)b + 1));
	*(char *)&b[1] = -1;
	printf("%x %d\n", *p, *(signed char *)(b + 1));
	v = (void *)p;
	printf("%d %x\n", v == p, *(int *)v);
	n = (uintptr_t)p;
	printf("%d %x\n", n == (uintptr_t)v, *(int *)n);
}

BEGIN
{
	a = (struct node *)alloca(2 * sizeof (struct node));
	z = a + 1;
	a->value = 1;
	a->next = z;
	a[1].value = 2;
	z->next = NULL;
	z->name[0] = 'z';
	z->name[1] = '\0';
	z->at[1].y = -5;
	i = 1;
	z->at[i].x = 6;
	printf("%d %d %d\n", a->next->value, a->next == z, a->next->next == NULL);
	printf("%s %d %d %d\n", a->next->name, a[1].at[1].y, (*z).at[i].x, (a + 1)->value);
	(*a).value -= 3;
	a->next->value++;
	printf("%d %d %d\n", a->value, z->value, z - a);
	pp = (struct node **)alloca(8);
	*pp = z;
	printf("%d %d\n", (*pp)->value, (**pp).value);
	px = &a->next->value;
	*px = 40;
	printf("%d\n", z->value);
}

/* D's own variables can be pointed to. */
BEGIN
{
	g = 5;
	gp = &g;
	printf("%d %d\n", *gp, gp == &g);
	g = 6;
	printf("%d\n", *gp);
	s = "text";
	cp = (char *)s;
	printf("%c %c %s\n", *cp, cp[3], stringof(cp + 1));
	exit(0);
}
