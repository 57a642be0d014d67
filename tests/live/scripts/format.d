/*
 * Formats as tools have them: eighteen values, %*s for depth, width before @, %S, %Y, terminal
 * control, %3d%%.
 */
#pragma D option quiet
self int depth;

BEGIN
{
	printf("%s %d %d %s %d %d %d %s %d %d %d %d %d %d %d %s %d %d\n", "a", 1, 2,
	    "b", 3, 4, 5, "c", 6, 7, 8, 9, 10, 11, 12, "d",
		13, 14);
	self->depth = 2;
	printf("%*s-> %s\n", self->depth * 2, "", "f");
	printf("%-12.12s|%5.2s|%3d%%|%-4d|%05d|%S|\n", "a name that is long",
	    "abc", 42, 7, 42, "tab\there");
	printf("a\b\r\033[H%c\n", 'z');
	@n["read", 1] = sum(5);
	@m["read", 1] = sum(500);
	@m["open", 2] = sum(20);
	printa("%8s %2d %6@d %@6d|\n", @n, @m);
	printa("%-6s %d %@-5u|\n", @m);
	@avg["x"] = avg(10);
	normalize(@avg, 5);
	printa("%s %@d\n", @avg);
	printf("%d %d\n", `_pagesize / 1024 > 0, (int)-1);
	exit(0);
}
