/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "?:", "&&", "||", "^^", "," and if: what is evaluated and what is not; actions and aggregations
 * as operands.
 */
/* @@args: 1 */
#pragma D option quiet

inline int YES = 1;
inline int NO = 0;
int start[int];

BEGIN
{
	/* constants: the dead operand is not looked at; keys may differ there */
	YES ? (@c[1] = count()) : (@c[1, "other", 2] = count());
	NO ? (@c["x"] = sum(5)) : (@c[2] = count());
	YES && ! NO ? printf("folded\n") : printf("%s\n", 5);
	! NO ? printf("not no\n") : 1;
	$1 ? printf("argument\n") : printf("no argument\n");
	/* run time */
	one = 1;
	zero = 0;
	one ? printf("one\n") : printf("zero\n");
	zero ? printf("one\n") : printf("zero\n");
	one ? printf("only\n") : 1;
	zero ? printf("never\n") : 1;
	one == 2 ? printf("2\n") : one == 1 ? printf("1\n") : printf("else\n");
	one ? (@d["one"] = count()) : (@d["zero"] = count());
	zero ? (@d["one"] = count()) : (@d["zero"] = count());
	one ? (v = 5) : (v = 6);
	zero ? (w = 5) : (w = 6);
	printf("%d %d %s %d\n", v, w, one ? "s" : "t", (zero ? "s" : NULL) == NULL);
	printf("%d %d\n", one ? -1 : 1U, (one ? -1 : 1) < 0);
	/* short circuit */
	n = 0;
	one || n++;
	zero && n++;
	printf("%d\n", n);
	zero || n++;
	one && n++;
	(one ^^ n++) && (n += 10);
	printf("%d %d%d%d%d\n", n, one ^^ one, one ^^ zero, zero ^^ one, zero ^^ zero);
	printf("%d%d%d%d\n", one && n, one && zero, zero || n, zero || zero);
	x = (n = 3, n + 1);
	printf("%d %d\n", x, n);
	a = b = c = 9;
	a -= b = 4;
	printf("%d %d %d\n", a, b, c);
	/* a division that is not reached does no harm */
	printf("%d\n", zero && one / zero ? 1 : 2);
}

BEGIN
{
	if (one)
		printf("if\n");
	if (zero)
		printf("no\n");
	else
		printf("else\n");
	if (one) {
		if (zero) {
			printf("no\n");
		} else if (one) {
			printf("inner\n");
			this->deep = "set";
		} else
			printf("no\n");
	} else {
		this->deep = "not";
	}
	if (zero)
		if (one)
			printf("no\n");
		else
			printf("no\n");
	if ((i = 4) > 3) {
		@i = sum(i);
		if (NO) {
			@c[1, 2, 3, 4] = count();
			printf("%s", 5);
		}
	}
	if (one) ;
	if (zero) {} else { printf("empty\n"); }
	printf("%s %d\n", this->deep, i);
}

/* assignments and side effects in predicates */
BEGIN { tick = 2; }
BEGIN /--tick == 0/ { printf("too early\n"); }
BEGIN /--tick == 0/ { printf("zero\n"); }
BEGIN /this->s = start[1]/ { printf("no\n"); }
BEGIN { start[1] = 7; }
BEGIN /this->s = start[1]/ { printf("%d\n", this->s); }
BEGIN /this->s++ == 7 && this->s == 8/ { printf("%d\n", this->s); }
BEGIN /NO/ { printf("no\n"); }
BEGIN
{
	printa("c %d %@d\n", @c);
	printa("d %s %@d\n", @d);
	printa("i %@d\n", @i);
	exit(0)
}
