/* SPDX-License-Identifier: GPL-2.0-or-later */
/* As basename(3) and dirname(3). */
#pragma D option quiet

BEGIN
{
	p[0] = "/usr/lib";
	p[1] = "/usr/";
	p[2] = "usr";
	p[3] = "/";
	p[4] = ".";
	p[5] = "..";
	p[6] = "";
	p[7] = "//";
	p[8] = "///";
	p[9] = "a//b///";
	p[10] = "/a";
	p[11] = "a/";
	p[12] = "//a";
	p[13] = "/a/b/c d/.e";
	p[14] = "a/b";
}

BEGIN
{
	printf("[%s] [%s] [%s]\n", p[0], basename(p[0]), dirname(p[0]));
	printf("[%s] [%s] [%s]\n", p[1], basename(p[1]), dirname(p[1]));
	printf("[%s] [%s] [%s]\n", p[2], basename(p[2]), dirname(p[2]));
	printf("[%s] [%s] [%s]\n", p[3], basename(p[3]), dirname(p[3]));
	printf("[%s] [%s] [%s]\n", p[4], basename(p[4]), dirname(p[4]));
	printf("[%s] [%s] [%s]\n", p[5], basename(p[5]), dirname(p[5]));
	printf("[%s] [%s] [%s]\n", p[6], basename(p[6]), dirname(p[6]));
	printf("[%s] [%s] [%s]\n", p[7], basename(p[7]), dirname(p[7]));
	printf("[%s] [%s] [%s]\n", p[8], basename(p[8]), dirname(p[8]));
	printf("[%s] [%s] [%s]\n", p[9], basename(p[9]), dirname(p[9]));
	printf("[%s] [%s] [%s]\n", p[10], basename(p[10]), dirname(p[10]));
	printf("[%s] [%s] [%s]\n", p[11], basename(p[11]), dirname(p[11]));
	printf("[%s] [%s] [%s]\n", p[12], basename(p[12]), dirname(p[12]));
	printf("[%s] [%s] [%s]\n", p[13], basename(p[13]), dirname(p[13]));
	printf("[%s] [%s] [%s]\n", p[14], basename(p[14]), dirname(p[14]));
	printf("[%s] [%s] [%s]\n", basename("/lit/eral"), dirname("/lit/eral"),
	    dirname(dirname("/a/b/c/d")));
	this->p = "/x/y";
	this->p = dirname(this->p);
	@[basename(this->p)] = count();
	@[dirname(this->p)] = count();
	printa("%s %@d\n", @);
	exit(0);
}
