/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores through pointers to D's own variables. */
/* @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+  */
#pragma D option quiet

struct pair { int first; short second; char text[8]; string s; };
struct pair g, *p;
struct pair by[int];
int numbers[4];
int x;
char c;
int *q;
int **qq;
string name;
string *ps;

BEGIN
{
	x = 1;
	q = &x;
	*q = 3;
	qq = &q;
	**qq += 4;
	q[0]++;
	printf("%d %d\n", x, *q);
	this->c = &c;
	*this->c = 'z';
	printf("%c\n", c);

	p = &g;
	p->first = 10;
	p->second = -2;
	p->text[0] = 'a';
	p->s = "text";
	(&g)->first++;
	printf("%d %d %s %s\n", g.first, g.second, stringof(g.text), g.s);
	this->e = &numbers[1];
	*this->e = 5;
	this->e[1] = 6;
	*(this->e + 2) = 7;
	*(numbers + 0) = 4;
	printf("%d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3]);
	ps = &name;
	*ps = "by pointer";
	printf("%s %s\n", name, *ps);
}

BEGIN
{
	self->n = 1;
	this->p = &self->n;
	*this->p = 8;
	printf("%d %d\n", self->n, *this->p);
	this->n = 2;
	this->t = &this->n;
	*this->t = 9;
	(*this->t)++;
	printf("%d %d\n", this->n, *this->t);
	this->g = g;
	this->pg = &this->g;
	this->pg->first = 11;
	this->pg->s = "mine";
	printf("%d %s, %d %s\n", this->g.first, this->g.s, g.first, g.s);
	*p = *this->pg;
	printf("%d %s\n", g.first, g.s);
	bcopy((char *)"copied", g.text, 7);
	printf("%s\n", stringof(g.text));
	self->h = g;
	this->ph = &self->h;
	this->ph->first = 12;
	printf("%d %d\n", self->h.first, g.first);
}

/* Beyond what is ours, and what is not ours at all. */
BEGIN { *(int *)((char *)&x - 1000000) = 1; }
BEGIN { *(int *)((char *)&x + 1000000) = 1; }
BEGIN { *(int *)0 = 1; }
BEGIN { *(struct pair *)64 = g; }

ERROR
{
	printf("%d\n", arg4);
}

BEGIN
{
	exit(0);
}
