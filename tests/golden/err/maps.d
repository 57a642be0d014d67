/* More arrays at one probe than a program may have maps. */
#define FIVE(x, a, b, c, d, e) \
	x##a[pid] = 1; x##b[pid] = 1; x##c[pid] = 1; x##d[pid] = 1; x##e[pid] = 1;
#define TEN(x) FIVE(x, 0, 1, 2, 3, 4) FIVE(x, 5, 6, 7, 8, 9)
/* @@opts: -C */
BEGIN { TEN(a) TEN(b) TEN(c) TEN(d) TEN(e) TEN(f) TEN(g) }
