/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @@opts: -w */
/* Commands run in the order of the records, and what they print stands in its place. */
#pragma D option quiet

BEGIN
{
	printf("one\n");
	system("echo two; echo '%s' %d", "three  words", 4);
	printf("five\n");
	system("exit 3");
	system("/no/such/command 2>&1 | sed 's/.*: not/not/'");
}

BEGIN
/0/
{
	system("echo never");
}

BEGIN
{
	1 ? system("echo six") : system("echo never");
	exit(0);
}

END
{
	system("echo end");
}
