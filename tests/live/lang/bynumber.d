/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes by their numbers in a program, alone, in a list, with a predicate. */
#pragma D option quiet

1
{
	printf("%s %d\n", probename, id);
	x = 3;
}

1, 2
/x == 3/
{
	printf("%s %d\n", probename, id);
}

BEGIN
{
	exit(0);
}
