/* All that goes through strings in one program, with strings of a size that is gone through in
 * parts: the kernel verifies them together. */
#pragma D option quiet
#pragma D option strsize=4000

BEGIN
{
	a = strjoin("0123456789", "  /usr/lib/../bin/x,y");
	a = strjoin(a, strjoin(a, a));
	a = strjoin(a, strjoin(a, strjoin(a, a)));
	a = strjoin(a, strjoin(a, strjoin(a, a)));
	b = strjoin(a, "end");
	printf("%d %d %d %d %d\n", strlen(b), index(b, "end"), rindex(b, "012"), a < b, a == b);
	printf("%s %s %s\n", strstr(b, "end"), strrchr(b, 'e'), substr(strchr(b, 'y'), 0, 4));
	printf("%s %d\n", basename(b), strlen(dirname(b)));
	printf("%d %d\n", strlen(cleanpath(b)), strlen(strtok(b, "end")));
	printf("%s %s\n", substr(toupper(b), -3), substr(tolower(b), 30, 10));
	printf("%d %d\n", strtoll(b), strtoll(strjoin("  000", lltostr(12))));
	printf("%s\n", json("{\"a\": [1, 2, \"three\"]}", "a[2]"));
	exit(0);
}
