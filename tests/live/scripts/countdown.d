/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A timer: a count in a predicate, the time that passed, two clauses of one firing in order. */
#pragma D option quiet

dtrace:::BEGIN
{
	i = 3;
	start = timestamp;
	printf("%-10s %s\n", "SECONDS", "LEFT");
}

profile:::tick-20ms
/i > 0/
{
	printf("%-10d %d\n", (timestamp - start) / 1000000000, i--);
	ticks[i] = timestamp;
}

profile:::tick-20ms
/i == 0 && !done++/
{
	printf("%s\n", "none left");
	order = ticks[2] < ticks[1] && ticks[1] < ticks[0];
	exit(order ? 0 : 1);
}

dtrace:::END
/i == 0/
{
	this->ms = (timestamp - start) / 1000000;
	printf("%s %s\n", this->ms >= 40 ? "in time" : "too early", order ? "in order" : "");
}
