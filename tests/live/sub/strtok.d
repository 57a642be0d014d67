/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @@stderr: ^dtrace: error in clause [57] for probe ID [12] */
/*
 * The text that is cut and the position in it live as long as the firing: across clauses, not
 * across probes.
 */
#pragma D option quiet

BEGIN
{
	printf("[%s]", strtok("one two  three", " "));
	printf(" [%s]", strtok(NULL, " "));
	printf(" [%s]", strtok(NULL, " "));
	printf(" %d\n", strtok(NULL, " ") == NULL);
}

BEGIN
{
	s = ",;a,b;c";
	printf("[%s]", strtok(s, ",;"));
	s = "changed";
	printf(" [%s]", strtok(NULL, ";"));
}

BEGIN
/(this->t = strtok(NULL, ";")) != NULL/
{
	printf(" [%s]", this->t);
}

BEGIN
{
	printf(" %d\n", strtok(NULL, ",;") == NULL);
	printf("%d %d %d\n", strtok("", ",") == NULL, strtok(",,,", ",") == NULL,
	    strtok(",", ",") == NULL);
	printf("[%s]", strtok("whole text", ""));
	printf(" %d\n", strtok(NULL, "") == NULL);
	printf("[%s]", strtok("k=v; x", "="));
	/* the second call begins at the delimiter of the first */
	printf(" [%s] [%s]\n", strtok(NULL, ";"), strtok(NULL, ""));
	printf("[%s] %s\n", strjoin(strtok("x:y:z", ":"), strtok(NULL, ":")), strtok(NULL, ":"));
	s = strtok("a b", " ");
	s = strtok(NULL, " ");
	printf("[%s] %d\n", s, s == "b");
	s = strtok(NULL, " ");	/* NULL at run time goes on, too */
	printf("%d\n", s == NULL);
	this->first = strtok("p q r", " ");
	printf("[%s] [%s] [%s]\n", this->first, strtok(s, " "), strtok(s, " "));
	@[strtok("key of many", " ")] = count();
	@[strtok(NULL, " ")] = count();
	strtok("left over", " ");
}

/* Nothing left, nothing begun. */
BEGIN { strtok(",", ","); printf("not reached: %s\n", strtok(NULL, ".")); }
BEGIN { exit(0); }

END { printf("not reached: %d\n", strtok(NULL, " ") == NULL); }
ERROR { printf("%d %d\n", arg4, arg5); }
END
{
	printa("%s %@d\n", @);
}
