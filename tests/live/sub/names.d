/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is no error and no signal has no name; a signal without a name of its own has its number. */
#pragma D option quiet

int n;
string g;

BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", strerror(ENOENT), strerror(0), strerror(133), strerror(41));
	printf("%d %d\n", strerror(-1) == NULL, strerror(134) == NULL);
	printf("[%s] [%s] [%s] [%s]\n", signame(9), signame(SIGTERM), signame(31), signame(34));
	printf("%d %d\n", signame(-1) == NULL, signame(65) == NULL);
	n = 11;
	g = signame(n);
	this->e = strerror(n + 2);
	printf("[%s] [%s] %d\n", g, this->e, strlen(strerror(1)));
	printf("%d %d\n", strerror(4) == "Interrupted system call",
	    signame(2) == strjoin("SIG", "INT"));
	@[strerror(EACCES), signame(15)] = count();
	printa("%s, %s: %@d\n", @);
	exit(0);
}
