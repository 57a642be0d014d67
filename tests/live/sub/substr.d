/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A negative index counts from the end; what it leaves before the beginning takes from the length.
 * A negative length leaves that many at the end.
 */
#pragma D option quiet

int i;

BEGIN
{
	s = "abcdef";
	printf("[%s] [%s] [%s] [%s] [%s]\n", substr(s, 0), substr(s, 2), substr(s, 5),
	    substr(s, 6), substr(s, 99));
	printf("[%s] [%s] [%s]\n", substr(s, -1), substr(s, -6), substr(s, -7));
	printf("[%s] [%s] [%s] [%s]\n", substr(s, 0, 0), substr(s, 0, 1),
	    substr(s, 1, 3), substr(s, 4, 99));
	printf("[%s] [%s] [%s]\n", substr(s, -3, 2), substr(s, -7, 3), substr(s, -9, 3));
	printf("[%s] [%s] [%s] [%s]\n", substr(s, 0, -1), substr(s, 2, -2),
	    substr(s, 2, -4), substr(s, 2, -5));
	printf("[%s] [%s]\n", substr(s, -4, -1), substr(s, -4, -4));
	printf("[%s] [%s] [%s]\n", substr("", 0), substr("", -1), substr("", 0, 5));
	printf("[%s]\n", substr("literal text", 8));
	i = 3;
	printf("[%s] [%s] [%s]\n", substr(s, i), substr(s, -i, i), substr(s, i - 1, i * -1));
	printf("[%s] [%s]\n", substr(s, 0x7fffffff), substr(s, 1, 0x7fffffff));
	printf("[%s]\n", substr(s, -0x7fffffff - 1, 0x7fffffff));
	s = substr(s, 1, 4);
	s = substr(s, 1);
	printf("[%s] %d %d\n", s, s == "cde", substr(s, 3) == "");
	printf("[%s]\n", substr(strjoin(substr(s, 1), substr(s, 0, 1)), 1));
	exit(0);
}
