/* Keys are evaluated before the value, each in its turn. */
#pragma D option quiet
int x, y;
BEGIN
{
	@step[x++] = sum(x);
	@set[x, (y = 7)] = sum(++x + y);
	@token[strtok("one two", " ")] = max(strlen(strtok(NULL, " ")) * 10 + x);
	printa("%d %@d\n", @step);
	printa("%d %d %@d\n", @set);
	printa("%s %@d\n", @token);
	exit(0);
}
