/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is not found is NULL, not an empty string. */
#pragma D option quiet

string g;

BEGIN
{
	s = "a/b/c";
	c = '/';
	printf("[%s] [%s] [%s] [%s]\n", strchr(s, '/'), strrchr(s, '/'),
	    strchr(s, 'a'), strrchr(s, 'c'));
	printf("[%s] [%s] [%s]\n", strchr(s, c), strrchr("x.y.z", '.'), strstr(s, "b/"));
	printf("%d %d %d\n", strchr(s, 'x') == NULL, strrchr(s, 'x') == NULL,
	    strstr(s, "x") == NULL);
	printf("%d %d %d\n", strchr(s, '/') == NULL, strrchr(s, '/') == NULL,
	    strstr(s, "a/") == NULL);
	printf("%d %d %d\n", strchr("", 'x') == NULL, strstr("", "x") == NULL,
	    strstr("", "") == "");
	printf("%d %d\n", strchr(s, 0) == "", strrchr(s, 0) == "");
	printf("[%s] %d\n", strstr(s, ""), strstr(s, "") == s);
	printf("[%s] [%s]\n", strstr(s, s), strstr(s, "c"));
	g = strchr(s, 'b');
	printf("[%s] %d\n", g, g == "b/c");
	g = strchr(g, 'x');
	printf("%d %d\n", g == NULL, g == "");
	g = strchr(s, '\0');
	printf("%d %d\n", g == NULL, g == "");
	g = strstr(strchr(s, '/'), "/c");
	printf("[%s] %d\n", g, strlen(strrchr(s, '/')));
	printf("[%s]\n", strchr(strjoin(s, "/d"), 'd'));
	s = "tail\377\200x";
	printf("%d %d\n", strlen(strchr(s, '\377')), strlen(strchr(s, '\200')));
	exit(0);
}
