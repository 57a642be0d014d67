/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of actions, functions and probes are good names for variables, too. */
#pragma D option quiet

self int trace;
enum { BEGIN, END };
int main;

BEGIN
{
	self->trace = 1;
	main = END;
	count = 3;
	printf = count + 1;
	self->exit = 5;
	this->copyin = 6;
	sum["x"] = 7;
	printf("%d %d %d %d %d %d %d %d\n", self->trace, main, count, printf,
	    self->exit, this->copyin, sum["x"], BEGIN);
	@min = min(8);
	@count["count"] = count();
	@sum = sum(sum["x"]);
	printa("%@d\n", @min);
	printa("%s %@d\n", @count);
	printa("%@d\n", @sum);
	exit(0);
}
