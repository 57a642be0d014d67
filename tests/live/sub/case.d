/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Letters of ASCII and nothing else. */
#pragma D option quiet

BEGIN
{
	s = "aZ@[`{09 \351\311";
	printf("[%s] [%s]\n", toupper("Hello, World"), tolower("Hello, World"));
	printf("%d %d\n", toupper(s) == "AZ@[`{09 \351\311", tolower(s) == "az@[`{09 \351\311");
	printf("[%s] [%s] %d\n", toupper(""), tolower(""), toupper("") == "");
	s = "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	printf("%s\n%s\n", toupper(s), tolower(s));
	s = toupper(s);
	s = tolower(strjoin(s, "X"));
	printf("%s %d\n", s, strlen(s));
	exit(0);
}
