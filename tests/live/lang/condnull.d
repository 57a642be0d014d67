/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A condition that is known leaves one arm; where that is NULL it has the type of the other one. */
#pragma D option quiet

inline string name = 0 ? execname : NULL;

BEGIN
{
	x = 0 ? execname : NULL;
	x = "text";
	y = 1 ? NULL : (int *)8;
	y = (int *)16;
	printf("%d %s %p %d\n", name == NULL, x, y, sizeof (*y));
	printf("%d %d\n", (1 ? NULL : strjoin("a", "b")) == NULL,
	    sizeof (1 ? NULL : strjoin("a", "b")) == sizeof (string));
	printf("%d %d\n", (1 ? NULL : no_such_name) == NULL, (0 ? "a" : NULL) == NULL);
	exit(0);
}
