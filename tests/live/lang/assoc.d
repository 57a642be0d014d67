/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Associative arrays: tuples of any kind, elements of any kind, zero deletes. */
#pragma D option quiet

string name[int];
char small[string];
int64_t wide[uint8_t, string, int64_t];

BEGIN
{
	a["x", 1] = 5;
	a["y", 1] = 6;
	a["x", 2] = a["x", 1] + a["y", 1];
	printf("%d %d %d %d\n", a["x", 1], a["y", 1], a["x", 2], a["y", 2]);
	/* in place */
	a["x", 1]++;
	++a["y", 1];
	a["new", 3]++;
	a["x", 2] -= 1;
	a["mul", 0] = 3;
	a["mul", 0] *= 7;
	printf("%d %d %d %d %d\n", a["x", 1], a["y", 1], a["new", 3], a["x", 2], a["mul", 0]);
	printf("%d %d %d\n", a["x", 1]++, a["x", 1]--, --a["x", 1]);
	/* zero, in any form, deletes */
	a["x", 1] = 0;
	zero = 0;
	a["y", 1] = zero;
	a["new", 3]--;
	a["x", 2] -= 10;
	printf("%d %d %d %d\n", a["x", 1], a["y", 1], a["new", 3], a["x", 2]);
	a["x", 1]++;
	printf("%d\n", a["x", 1]);
	/* keys that are expressions, and elements as keys */
	i = 3;
	b[i + 1] = i;
	b[b[4] + 2] = 8;
	printf("%d %d\n", b[4], b[5]);
	x = y = b[9] = 2;
	printf("%d %d %d\n", x, y, b[9]);
	/* negative keys, and one value in several widths */
	c[-1] = 1;
	this->c = (char)-1;
	printf("%d %d\n", c[this->c], c[4294967295]);
	wide[255, "k", -1] = 1LL << 40;
	printf("%d %d\n", wide[255, "k", -1], wide[(uint8_t)-1, "k", -1]);
}

/* Strings as elements and as keys. */
BEGIN
{
	name[1] = "one";
	name[2] = name[1];
	name[1] = strjoin(name[1], "!");
	printf("[%s] [%s] %d\n", name[1], name[2], name[3] == NULL);
	name[1] = NULL;
	name[2] = 0;
	printf("%d %d\n", name[1] == NULL, name[2] == NULL);
	name[4] = "";
	printf("%d %d\n", name[4] == NULL, name[4] == "");
	name[5] = "key";
	d[name[5]] = 11;
	d[strjoin("ke", "ys")] = 12;
	printf("%d %d %d\n", d["key"], d["keys"], d["ke"]);
	small["s"] = 127;
	small["s"]++;
	printf("%d\n", small["s"]);
	small["s"] += 130;
	printf("%d\n", small["s"]);
	/* the empty string and NULL are one key */
	d[""] = 4;
	printf("%d\n", d[""]);
}

/* self-> ones are each thread's own. */
BEGIN
{
	self->s["a", 1] = "text";
	self->n[1]++;
	self->n[1] += 4;
	printf("%s %d %d\n", self->s["a", 1], self->n[1], self->n[2]);
	self->s["a", 1] = NULL;
	self->n[1] = 0;
	printf("%d %d\n", self->s["a", 1] == NULL, self->n[1]);
	exit(0);
}
