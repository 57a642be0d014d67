/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths without what is redundant. */
#pragma D option quiet

BEGIN
{
	printf("[%s] [%s] [%s]\n", cleanpath("/usr/../etc/./passwd"), cleanpath("a//b/"),
	    cleanpath("../../a/../b"));
	printf("[%s] [%s] [%s] [%s]\n", cleanpath("/.."), cleanpath(""),
	    cleanpath("/"), cleanpath("a/.."));
	this->p = "/x/y/../z";
	this->p = cleanpath(this->p);
	@[cleanpath(strjoin("/var/tmp", "/../log"))] = count();
	printf("%s\n", this->p);
	printa("%s %@d\n", @);
	exit(0);
}
