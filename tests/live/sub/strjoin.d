/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Into records, variables of all kinds, keys; empty parts; at the limit of strsize (16 here, its
 * NUL included).
 */
#pragma D option quiet
#pragma D option strsize=16

string g;
self string t;

BEGIN
{
	this->s = "cd";
	g = "ab";
	printf("[%s] [%s] [%s] [%s]\n", strjoin("ab", "cd"), strjoin(g, "cd"),
	    strjoin("ab", this->s),
	    strjoin(g, this->s));
	printf("[%s] [%s] [%s]\n", strjoin("", ""), strjoin("", g), strjoin(g, ""));
	printf("[%s]\n", strjoin(strjoin(g, "-"), strjoin(this->s, strjoin("+", "ef"))));
	g = strjoin(g, g);
	g = strjoin("<", g);
	g = strjoin(g, ">");
	self->t = strjoin(g, "t");
	this->s = strjoin("s", g);
	a[1] = strjoin(g, "a");
	printf("%s %s %s %s\n", g, self->t, this->s, a[1]);
	self->t = strjoin("", "");
	printf("%d %d %d\n", self->t == NULL, self->t == "", strlen(self->t));
	@[strjoin("k", g)] = count();
	@[strjoin(g, "k")] = count();
	@["k<abab>"] = count();
	printa("%s %@d\n", @);

	g = "0123456789abcde";	/* 15 bytes: just fits */
	printf("%s %s\n", g, strjoin(g, ""));
	printf("%s %s\n", strjoin("", g), strjoin("x", g));
	printf("%s\n", strjoin(g, "x"));
	printf("%s\n", strjoin(g, g));
	this->s = strjoin(g, g);
	self->t = strjoin("01234567", "89abcdefgh");
	printf("%s %d %s\n", this->s, this->s == g, self->t);
	g = strjoin("0123456789", "abcdef");
	printf("%s %d\n", g, g == this->s);
	exit(0);
}
