/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A struct larger than a string, in variables of all kinds and in an associative array. */
#pragma D option quiet

struct big {
	char c[2000];
};
struct big a;

BEGIN
{
	a.c[1999] = 'A';
	b = a;
	m["x"] = a;
	self->b = a;
	this->q = a;
	printf("%c%c%c%c%c\n", a.c[1999], b.c[1999], m["x"].c[1999], self->b.c[1999],
	    this->q.c[1999]);
	m["y"].c[1998] = 'B';
	printf("%d %c %d\n", m["y"].c[1999], m["y"].c[1998], m["x"].c[1998]);
	exit(0);
}
