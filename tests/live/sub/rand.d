/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Never negative, and not always the same. */
#pragma D option quiet

BEGIN
{
	a = rand();
	b = rand();
	c = rand();
	printf("%d %d\n", a >= 0 && b >= 0 && c >= 0, a != b || b != c);
	printf("%d\n", rand() % 10 < 10);
	exit(0);
}
