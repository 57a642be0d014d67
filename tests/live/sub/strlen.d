/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Literals, variables, texts that are made; the longest. */
#pragma D option quiet

string g;
self string t;

BEGIN
{
	this->s = "hello";
	g = "globe";
	self->t = "thread";
	a["x", 1] = "array";
	printf("%d %d %d\n", strlen(""), strlen("a"), strlen("hello, world"));
	printf("%d %d %d %d\n", strlen(this->s), strlen(g), strlen(self->t), strlen(a["x", 1]));
	printf("%d %d\n", strlen(strjoin(g, "!")),
	    strlen(strjoin(strjoin(g, this->s), strjoin(self->t, ""))));
	printf("%d\n", strlen(strjoin("", "")));
	g = "";
	printf("%d\n", strlen(g));
	printf("%d %d\n", strlen("nul\0behind"), strlen("\0"));
	g = "01234567890123456789012345678901234567890123456789"
	    "01234567890123456789012345678901234567890123456789";
	printf("%d\n", strlen(g));
	this->s = strjoin(g, g);
	printf("%d\n", strlen(this->s));
	this->s = strjoin(this->s, this->s);
	printf("%d\n", strlen(this->s));
	printf("%d\n", strlen(strjoin(strjoin(g, g), g)));
	exit(strlen("bye") - 3);
}
