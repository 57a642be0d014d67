/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strings are values: assignment copies, comparison is by bytes, NULL is a value of its own below
 * all others.
 */
#pragma D option quiet

string s, t, u;

BEGIN
{
	/* constants against constants, variables, and the other way round */
	printf("%d%d%d%d%d%d\n", "b" == "b", "b" != "b", "b" < "b", "b" <= "b",
	    "b" > "b", "b" >= "b");
	printf("%d%d%d%d%d%d\n", "a" == "b", "a" != "b", "a" < "b", "a" <= "b",
	    "a" > "b", "a" >= "b");
	s = "b";
	printf("%d%d%d%d%d%d\n", s == "b", s != "b", s < "b", s <= "b", s > "b", s >= "b");
	printf("%d%d%d%d%d%d\n", s == "a", s != "a", s < "a", s <= "a", s > "a", s >= "a");
	printf("%d%d%d%d%d%d\n", "a" == s, "a" != s, "a" < s, "a" <= s, "a" > s, "a" >= s);
	t = "bb";
	printf("%d%d%d%d%d%d\n", s == t, s != t, s < t, s <= t, s > t, s >= t);
	/* a word's end is no difference, and bytes are unsigned */
	s = "12345678";
	t = "123456789";
	printf("%d%d %d%d\n", s == "12345678", s == t, s < t, t == "123456789");
	s = "\377";
	printf("%d%d\n", s > "a", s == "\377");
	/* copies */
	s = "first";
	t = s;
	u = t;
	s = "second, which is longer";
	t = "";
	printf("[%s] [%s] [%s]\n", s, t, u);
	s = u;
	u = "x";
	s = s;
	printf("[%s] [%s]\n", s, u);
	/* bytes of a string */
	printf("%c%c%c %d\n", s[0], s[4], *s, s[5]);
}

/* What got 0 is NULL; a string that was never assigned is equal to both NULL and "". */
string never, text;

BEGIN
{
	printf("%d%d%d%d%d%d\n", never == NULL, never != NULL, never < NULL,
	    never <= NULL, never > NULL, never >= NULL);
	printf("%d%d%d%d%d%d\n", never == "", never != "", never < "", never <= "",
	    never > "", never >= "");
	printf("%d%d%d\n", never == text, never < text, "" > never);
	text = "";
	printf("%d%d%d%d%d%d\n", text == NULL, text != NULL, text < NULL, text <= NULL,
	    text > NULL, text >= NULL);
	printf("%d%d%d%d%d%d\n", text == "", text != "", text < "", text <= "",
	    text > "", text >= "");
	printf("%d%d%d\n", never == text, never < text, text > never);
	text = NULL;
	printf("%d%d\n", text == NULL, never == text);
	text = "back";
	never = text;
	text = never == NULL ? NULL : "kept";
	printf("[%s] [%s]\n", never, text);
	text = never == "back" ? NULL : "kept";
	printf("%d\n", text == NULL);
	/* whether there is one: strings are no conditions by themselves */
	printf("%d%d%d%d\n", never == NULL, text == NULL, never != NULL && 1, text != NULL || 0);
	printf("%s %s\n", never != NULL ? "yes" : "no", text != NULL ? "yes" : "no");
	/* the text from there on, and back from there */
	printf("%s %s %s\n", probename + 1, probename + 3 - 2, 1 + probename + 2 - 1);
	printf("%s\n", probename + strlen(probename) - 2);
	exit(0);
}
