/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The length may be a constant or not, longer than any string, and is a size: -1 is a very long
 * one.
 */
/* @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+  */
#pragma D option quiet

int n;

BEGIN
{
	n = 2;
	printf("%d %d %d\n", strncmp("abc", "abd", 2), strncmp("abc", "abd", 3),
	    strncmp("abd", "abc", 3));
	printf("%d %d %d\n", strncmp("abc", "abd", n), strncmp("abc", "abd", n + 1),
	    strncmp("abd", "abc", n + 1));
	printf("%d %d\n", strncmp("a", "b", 0), strncmp("a", "b", n - 2));
	printf("%d %d %d\n", strncmp("abc", "abcd", 3), strncmp("abc", "abcd", 4),
	    strncmp("abc", "abcd", -1));
	printf("%d %d\n", strncmp("abc", "abc", 100000), strncmp("abc", "abc", n - 3));
	printf("%d %d\n", strncmp("", "", 5), strncmp("", "x", 5));
	printf("%d %d\n", strncmp(execname, "dtrace", 3), strncmp("dtr", execname, n));
	printf("%d\n", strncmp("0123456789abcdef", "0123456789abcdeg", 15));
	printf("%d\n", strncmp("0123456789abcdef", "0123456789abcdeg", 16));
	printf("%d\n", strncmp("\377", "a", 1));
	printf("%d %d %d\n", strcontains(execname, "tra"), strcontains("abc", "x"),
	    strcontains("abc", ""));
}

BEGIN
/strncmp(execname, "dt", 2) == 0 && !strcontains(execname, "nosuch")/
{
	printf("both\n");
}

BEGIN
{
	printf("%d\n", strncmp((string)NULL, "a", 1));
}

BEGIN
{
	exit(0);
}

ERROR
{
	printf("fault %d\n", arg4);
}
