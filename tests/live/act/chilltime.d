/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @@opts: -w */
/* @@needs: global_func */
/* timestamp stands still in a firing except over chill(), also one that a condition chooses. */
#pragma D option quiet

BEGIN
{
	this->t = timestamp;
	chill(100000000);
	printf("%d\n", timestamp - this->t >= 100000000);
	this->t = timestamp;
	printf("%d\n", timestamp == this->t);
	one = 1;
	one ? chill(50000000) : 1;
	printf("%d\n", timestamp - this->t >= 50000000);
	this->t = timestamp;
	one ? 1 : chill(50000000);
	printf("%d\n", timestamp == this->t);
}

BEGIN
/chilled = timestamp, 1/
{
	chill(1000000);
}

BEGIN
{
	printf("%d %d\n", timestamp - chilled >= 1000000, timestamp == timestamp);
	exit(0);
}
