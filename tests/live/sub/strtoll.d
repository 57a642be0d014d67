/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", strtoll("0"), strtoll("123"), strtoll("-45"), strtoll("+6"));
	printf("%d %d %d %d\n", strtoll(""), strtoll("x"), strtoll("-"), strtoll("12x3"));
	printf("%d %d\n", strtoll("  \t\n 42"), strtoll(" - 1"));
	printf("%d %d\n", strtoll("9223372036854775807"), strtoll("-9223372036854775808"));
	printf("%d %d\n", strtoll("9223372036854775808"), strtoll("-99999999999999999999999999"));
	printf("%d %d %d %d\n", strtoll("ff", 16), strtoll("0xFf", 16),
	    strtoll("-0x10", 16), strtoll("0x", 16));
	printf("%d %d %d %d\n", strtoll("777", 8), strtoll("789", 8), strtoll("1012", 2),
	    strtoll("Zz", 36));
	printf("%d %d\n", strtoll("0x1f"), strtoll("010"));
	s = "4096 bytes";
	b = 10;
	printf("%d %d %d\n", strtoll(s), strtoll(s, b), strtoll(s, b + 6));
	printf("%d\n", strtoll(lltostr(-77777)) + 1);
	printf("%d\n", strtoll(strtok("a=12", "=") == "a" ? strtok(NULL, "=") : "0") * 2);
	exit(0);
}
