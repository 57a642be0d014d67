/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Constants: their values and, by C's rules, their types. */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d %d\n", 10, 010, 0x10, 0XfF, 0);
	printf("%d %d %u\n", 0b101, 1_000_000, 4294967295);
	printf("%d%d%d%d%d%d\n", sizeof (1), sizeof (2147483647), sizeof (2147483648),
	    sizeof (0x80000000), sizeof (0xffffffff),
	    sizeof (0x100000000));
	printf("%d%d%d%d%d\n", sizeof (1u), sizeof (1l), sizeof (1ULL), sizeof (1LL), sizeof ('a'));
	printf("%d%d%d%d\n", 0xffffffff > -1, 4294967295 > -1, 0x7fffffff > -1, -1 > 1u);
	printf("%d %d\n", 0xffffffffffffffff == -1, 18446744073709551615 > 0);
	printf("%d %d %d %d %d %d %d\n", 'a', '\n', '\\', '\'', '"', '\0', '\x7f');
	printf("%d %d\n", '\101', 'ab' == ('a' << 8 | 'b'));
	printf("[%s]\n", "tab\there \"quoted\" \x41\102\103 back\\slash");
	printf("%d %d\n", strlen("\n\t\0x"), sizeof ("abc") == 4);
	printf("%s %d %d\n", "\(a\.b\) \? \' \q", '\q' == ('\\' << 8 | 'q'), '\?');
	exit(0);	// both kinds of comments
	/* a / in a comment * is no end **/
}
