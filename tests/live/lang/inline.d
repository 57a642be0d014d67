/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inlines: constants, expressions, functions; what they are where a constant is needed. */
#pragma D option quiet

inline int FOUR = 4;
inline int EIGHT = FOUR * 2;
inline string NAME = "name";
inline string WHERE = probename;
inline char CUT = 300;
inline int *NONE = NULL;
inline int twice[int x] = x * 2;
inline int plus(int x, int y) = x + y;
inline string either[int x] = x ? "yes" : NULL;
inline int length[string s, char n] = strlen(s) + n;
inline int shadow[int FOUR] = FOUR + 1;
inline string err[int e] = e == 2 ? "ENOENT" : e == 13 ? "EACCES" : NULL;
int a[EIGHT];

BEGIN
{
	printf("%d %d %s %s %d %d\n", FOUR, EIGHT, NAME, WHERE, CUT, NONE == NULL);
	x = 5;
	printf("%d %d %d %d\n", twice[21], twice[x + 1], twice[twice[twice[x]]], plus(twice[1], x));
	printf("%s %d %s\n", either[x], either[x - 5] == NULL, either[1]);
	printf("%d %d\n", length["abc", 257], length[NAME, x]);
	printf("%d %d\n", shadow[9], sizeof (a));
	printf("%s %s %d\n", err[2], err[13], err[x] != NULL);
	/* evaluated at each use */
	printf("%d %d\n", twice[x++], x);
	FOUR == 4 && EIGHT == 8 ? printf("folded\n") : printf("%s\n", 5);
	exit(0);
}
