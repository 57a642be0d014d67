/*
 * Names of actions, probes and functions as names of variables; fields of probe names left out; a
 * last statement without ";".
 */
#pragma D option quiet

enum { BEGIN_AT, printf_at = 7 };
self int trace;
self int stack;
int main;

dtrace:::BEGIN
/ 1 /
{
	self->trace = 3;
	self->stack = 4;
	main = printf_at;
	@min = min(2);
	@count[main] = count();
	@sum = sum(self->trace)
}

BEGIN { self->trace++; this->exit = 1; this->printf = "text" }
dtrace:::BEGIN { this->exit += 1; }
:::BEGIN /this->exit == 2 && self->trace--/ { this->exit++; }
BEGIN
/this->tick = --countdown/
{
	printf("%d %d %d %d %s %d\n", self->trace, self->stack, main, this->exit,
	    this->printf, this->tick);
	printa("%@d ", @min);
	printa("%@d ", @sum);
	printa("%d:%@d\n", @count);
	a = b = c = 5;
	printf("%d\n", a + b + c);
	exit(0)
}
