/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All 32 bits of an int, and not always the same. */
#pragma D option quiet

BEGIN
{
	a = rand();
	b = rand();
	c = rand();
	printf("%d %d\n", sizeof (rand()), a != b || b != c);
	printf("%d\n", rand() % 10 < 10);
}

/* Of 64 numbers some are negative, but once in 2^64. */
tick-1ms { negative += rand() < 0; negative += rand() < 0; negative += rand() < 0;
	negative += rand() < 0; n += 4; }
tick-1ms /n >= 64/ { printf("%d\n", negative > 0 && negative < n); exit(0); }
