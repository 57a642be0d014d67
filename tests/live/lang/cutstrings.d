/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Longer texts are cut to strsize - 1 bytes wherever they are kept: variables, keys, records. */
#pragma D option quiet
#pragma D option strsize=8

string g;
this string t;

BEGIN
{
	g = "0123456789";
	this->t = "abcdefghijk";
	self->s = "ABCDEFGHIJK";
	printf("[%s] [%s] [%s] %d\n", g, this->t, self->s, strlen(g));
	printf("%d%d%d\n", g == "0123456", g == "0123456789", g == "01234567");
	a["0123456789"] = "zyxwvutsrqponm";
	printf("[%s] [%s] %d\n", a["0123456"], a["0123456xx"], a["012345"] == NULL);
	b[g, 1] = 7;
	printf("%d %d\n", b["0123456", 1], b["0123456789", 1]);
	g = strjoin("abcd", g);
	this->t = strjoin(g, g);
	c[1] = strjoin(g, "x");
	printf("[%s] [%s] [%s] [%s]\n", strjoin(g, g), g, this->t, c[1]);
	@["a longer key"] = sum(1);
	@["a longer kind"] = sum(2);
	@["a longest"] = sum(4);
	printa("[%s] %@d\n", @);
	exit(0);
}
