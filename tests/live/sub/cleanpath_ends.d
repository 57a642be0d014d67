/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What cleanpath( ) leaves: a slash at the end, "./" at the beginning, "/." at the end. */
#pragma D option quiet
#pragma D option strsize=64

BEGIN
{
	printf("[%s] [%s] [%s]\n", cleanpath("/foo/bar///baz/"), cleanpath("/foo/bar/baz//"),
	    cleanpath("foo/bar/./././././baz/"));
	printf("[%s] [%s] [%s] [%s]\n", cleanpath("./"), cleanpath("./a"), cleanpath("/a/."),
	    cleanpath("/a/b/.."));
	printf("[%s] [%s] [%s] [%s]\n", cleanpath("/a/../../b"), cleanpath("/a/b/../c/"),
	    cleanpath("a/../b"), cleanpath(".."));
	exit(0);
}
