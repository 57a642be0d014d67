/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Base 10 has a sign, others do not; 8 and 16 have their prefix. */
#pragma D option quiet

BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", lltostr(0), lltostr(7), lltostr(-1),
	    lltostr(1234567890123));
	printf("[%s] [%s]\n", lltostr(0x7fffffffffffffff), lltostr(-0x7fffffffffffffff - 1));
	printf("[%s] [%s] [%s]\n", lltostr(255, 10), lltostr(255, 16), lltostr(255, 8));
	printf("[%s] [%s] [%s]\n", lltostr(255, 2), lltostr(255, 3), lltostr(255, 36));
	printf("[%s] [%s] [%s] [%s]\n", lltostr(0, 16), lltostr(0, 8), lltostr(0, 2),
	    lltostr(0, 36));
	printf("[%s]\n[%s]\n[%s]\n", lltostr(-1, 16), lltostr(-1, 8), lltostr(-1, 2));
	printf("[%s] [%s]\n", lltostr(-1, 36), lltostr(-255, 10));
	i = 5;
	base = 7;
	s = lltostr(i * 10, base);
	printf("[%s] [%s] %d\n", s, strjoin("n", lltostr(i)), lltostr(i) == "5");
	@[lltostr(i, base + 9)] = count();
	printa("%s %@d\n", @);
	exit(0);
}
