/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @@opts: -x strsize=128 */
/* @@needs: global_func */
/* Elements of JSON by their paths; NULL is false. */
#pragma D option quiet

BEGIN
{
	j = "{ \"a\": {\"b\": [1, -2.5e3, {\"c\": \"text, with } and \\\"\"}], \"n\":null}, "
	    "\"a2\":\"\", \"t\" : true}";
	printf("[%s] [%s] [%s]\n", json(j, "a.b[0]"), json(j, "a.b[1]"), json(j, "a.b[2].c"));
	printf("[%s] [%s]\n", json(j, "a.b"), json(j, "a.b[2]"));
	printf("[%s] [%s] [%s] %d\n", json(j, "a.n"), json(j, "a2"), json(j, "t"),
	    json(j, "a2") == "");
	printf("%s", json(j, "x") == NULL && json(j, "a.b[3]") == NULL &&
	    json(j, "a2.b") == NULL ? "none\n" : "some\n");
	printf("%d\n", strtoll(json("[[1,2],[3,[44]]]", "[1][1][0]")) + 1);
	s = json(j, "a.b[2].c");
	s = json("not json", "a") == NULL ? "NULL" : "text";
	printf("%s\n", s);
	@[json(j, "t")] = count();
	printa("%s %@d\n", @);
	exit(0);
}
