/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @@opts: -w */
/* @@err: */
/* @@needs: global_func */
/* Time passes, at least what was asked for; half a second in a second is the most. */
#pragma D option quiet

BEGIN
{
	chill(0);
	start = timestamp;
	chill(300000000);
}

BEGIN
{
	chill(250000000);
	printf("never\n");
}

BEGIN
{
	chill(-1);
	printf("never\n");
}

BEGIN
{
	chill(500000001);
	printf("never\n");
}

BEGIN
{
	chill(0x100000001); /* no int that wraps to 1 */
	printf("never\n");
}

END
{
	printf("%d\n", timestamp - start >= 300000000);
}

BEGIN
{
	exit(0);
}
