/*
 * Strings of 64 KB: what goes through them part by part. The text is "ab/cd,ef" 8000 times, with an
 * end of its own.
 */
#pragma D option quiet
#pragma D option strsize=64k

BEGIN
{
	a = "ab/cd,ef";
	b = strjoin(a, strjoin(a, strjoin(a, strjoin(a, a)))); /* 5 */
	b = strjoin(b, strjoin(b, strjoin(b, strjoin(b, b)))); /* 25 */
	b = strjoin(b, strjoin(b, strjoin(b, strjoin(b, b)))); /* 125 */
	b = strjoin(b, strjoin(b, strjoin(b, b))); /* 500 */
	b = strjoin(b, strjoin(b, strjoin(b, b))); /* 2000 */
	c = strjoin(b, strjoin(b, strjoin(b, b))); /* 8000 */
	d = strjoin(c, "/last,Q;");
	printf("%d %d %d\n", strlen(b), strlen(c), strlen(d));
	printf("cut: %d\n", strlen(strjoin(d, d)));
}

BEGIN
{
	printf("%d %d %d %d %d %d\n", c == d, c < d, c > d, d > c, b < c, c == strjoin(c, ""));
	printf("%d %d %d %d\n", index(d, "last"), index(d, "Q"), index(d, "last,R"),
	    index(d, "ab/cd,efab/c", 63900));
	printf("%d %d %d %d\n", rindex(d, "ab/cd,ef"), rindex(d, "ab/cd,ef", 5000),
	    rindex(d, "b/x"), rindex(d, "a", 0));
	printf("%d %d %d\n", index(d, c), index(c, d), index(d, "", 64000));
}

BEGIN
{
	printf("%s %s %d\n", strchr(d, 'Q'), strrchr(d, 'l'), strlen(strchr(d, 'f')));
	printf("%d %s\n", strlen(strrchr(c, 'a')), strrchr(d, 'R') == NULL ? "none" : "there");
	printf("%s %d\n", substr(d, 63990), strlen(substr(d, 10, 60000)));
	printf("%s\n", strstr(d, "/last"));
	e = toupper(d);
	printf("%s %d %d\n", substr(e, -24), e == d, tolower(e) == tolower(d));
}

BEGIN
{
	printf("%s %d\n", basename(d), strlen(dirname(d)));
	printf("%d %s\n", strlen(strtok(d, ";")), strtok(NULL, ";") == NULL ? "none" : "more");
	printf("%d\n", strlen(strtok(d, "Q")));
	printf("%s\n", strtok(NULL, "Q"));
	printf("%d\n", strlen(cleanpath(strjoin(c, "/../x"))));
	printf("%d\n", strtoll(strjoin(substr("                    ", 0), "-42")));
}

BEGIN
{
	this->j = strjoin("{\"long\":\"", strjoin(c, "\",\"n\":[1,22,333]}"));
	printf("%s %d\n", json(this->j, "n[2]"), strlen(json(this->j, "long")));
	exit(0);
}
