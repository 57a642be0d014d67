/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scalar arrays, one and more dimensions; an index outside is a fault that ends the clause. */
/* @@err: */
#pragma D option quiet

int a[4];
char c[3];
uint16_t m[2][3];
int *p;
self int sa[2];
this int ta[2];

BEGIN
{
	a[0] = 3;
	a[3] = a[0] * 5;
	a[1]++;
	a[2] -= 4;
	i = 3;
	printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], a[i]);
	a[i - 1] = a[i]--;
	printf("%d %d\n", a[2], a[3]);
	c[0] = 'o';
	c[1] = 'k';
	printf("%s %d\n", c, sizeof (c));
	m[1][2] = 65535;
	m[1][2]++;
	m[0][2] = 7;
	i = 1;
	m[i][i] = 9;
	printf("%d %d %d %d %d\n", m[1][2], m[0][2], m[1][1], m[1][0], sizeof (m));
	/* an array is a pointer to its first element */
	p = a;
	printf("%d %d %d\n", *p, *(a + 3), p[3]);
	p = &a[1];
	printf("%d %d %d\n", *p, p[2], &a[3] - p);
	self->sa[1] = 4;
	this->ta[0] = 5;
	printf("%d %d %d %d\n", self->sa[0], self->sa[1], this->ta[0], this->ta[1]);
}

/*
 * Of a clause that faults nothing is printed, what it did before stays done, and the next one goes
 * on.
 */
BEGIN { i = 4; printf("not printed\n"); a[i] = 1; i = 99; }
BEGIN { printf("%d\n", i); }
BEGIN { i = -1; x = a[i]; i = 99; }
BEGIN { printf("%d\n", i); }
BEGIN { i = 2; m[i][0] = 1; }
BEGIN { i = 1; m[i][i + 2] = 1; }
BEGIN { this->ta[i + 1] = 1; }
BEGIN { self->sa[i + 5]++; }
BEGIN { exit(0); }
