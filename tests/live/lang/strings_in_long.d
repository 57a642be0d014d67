/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same, long ones. */
#pragma D option quiet
#pragma D option strsize=64k
struct q { string s; int a; string t; };
struct q g;
string names[3];
struct q by[int];
BEGIN {
	g.s = "one"; g.a = 5; g.t = "two"; names[2] = "three"; names[1] = g.t;
	by[1] = g;
	this->i = 2;
	printf("%s %d %s %s %s %s\n", g.s, g.a, g.t, names[this->i], names[1], by[1].t);
	exit(0);
}
