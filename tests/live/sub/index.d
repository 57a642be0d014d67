/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma D option quiet

BEGIN
{
	s = "abcabcab";
	printf("%d %d %d %d %d\n", index(s, "a"), index(s, "bc"), index(s, "cab"),
	    index(s, "x"), index(s, s));
	printf("%d %d %d %d %d\n", index(s, "a", 1), index(s, "a", 3), index(s, "a", 7),
	    index(s, "ab", 6), index(s, "ab", 7));
	printf("%d %d %d\n", index(s, "a", -5), index(s, "b", 99), index(s, "abcabcabc"));
	printf("%d %d %d %d\n", index(s, ""), index(s, "", 3), index(s, "", 8), index(s, "", 99));
	printf("%d %d %d\n", index("", ""), index("", "a"), index("", "", -1));
	printf("%d %d %d %d %d\n", rindex(s, "a"), rindex(s, "bc"), rindex(s, "cab"),
	    rindex(s, "x"), rindex(s, s));
	printf("%d %d %d %d %d\n", rindex(s, "a", 5), rindex(s, "a", 6),
	    rindex(s, "a", 0), rindex(s, "b", 0),
	    rindex(s, "bc", 3));
	printf("%d %d %d\n", rindex(s, "a", -1), rindex(s, "a", 99), rindex(s, "", -1));
	printf("%d %d %d\n", rindex(s, ""), rindex(s, "", 2), rindex("", ""));
	i = 2;
	t = "needle longer than a word";
	u = strjoin("hay ", strjoin(t, strjoin(", ", t)));
	printf("%d %d %d\n", index(u, t), index(u, t, i + 3), rindex(u, t));
	printf("%d %d\n", index(u, strjoin(t, "x")), index(s, "c", i) - index(s, "c", i + 1));
	printf("%d\n", index(s, "x") < 0 ? 1 : 2);
	exit(0);
}
