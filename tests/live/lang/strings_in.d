/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings in structures and arrays, of D and behind pointers into scratch memory. */
/* @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+  */
#pragma D option quiet
struct q { int a; string s; char c; string t[2]; };
struct q g;
string names[3];
self struct q me;
this struct q here;
struct q by[int];
struct in { int n; struct q q; };
struct in deep;
BEGIN
{
	g.s = "global"; g.a = 7; g.c = 'c'; g.t[1] = "second";
	names[0] = "zero"; names[2] = strjoin("tw", "o");
	self->me.s = strjoin(g.s, "!");
	this->here = g;
	this->here.s = "";
	by[3].s = "three";
	deep.q = g;
	deep.q.t[0] = deep.q.s;
	g.t[0] = names[1] = "";
	printf("%s %d %c %s|%s|\n", g.s, g.a, g.c, g.t[1], g.t[0]);
	printf("%s|%s|%s\n", names[0], names[1], names[2]);
	printf("%s %s|%s %s %s\n", self->me.s, this->here.s, this->here.t[1], by[3].s, deep.q.t[0]);
	g.t[0] = NULL;
	printf("%d %d %d %d\n", g.t[0] == NULL, this->here.s == NULL, this->here.s == "",
	    g.s == "global");
	this->i = 2;
	names[this->i] = names[0];
	names[0] = NULL;
	printf("%s %d %d\n", names[this->i], names[0] == NULL, strlen(names[2]));
	@[g.s] = count();
	this->p = (struct q *)alloca(sizeof (struct q));
	*this->p = g;
	this->p->s = "through";
	this->p->t[0] = this->p->s;
	printf("%s %s %s %d\n", this->p->s, this->p->t[0], this->p->t[1], this->p->a);
	this->p->t[1] = NULL;
	printf("%d %d\n", this->p->t[1] == NULL, this->p->s == NULL);
	printf("%s\n", this->p->t[0] = "assigned");
	print(g);
	print(names);
}

BEGIN
{
	printf("%s\n", names[this->i + 1]);
}

ERROR
{
	printf("%d %d\n", arg4, arg5);
}

BEGIN
{
	exit(0);
}
