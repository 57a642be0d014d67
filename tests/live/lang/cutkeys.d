/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A strsize that is no multiple of eight cuts literals, variables, results and keys at the same
 * place.
 */
#pragma D option quiet
#pragma D option strsize=10

BEGIN
{
	this->s = "abcdefghijklmnopqrst";
	printf("%d %d\n", this->s == "abcdefghijklmnopqrst", strlen("abcdefghijklmnopqrst"));
	printf("%d\n", toupper("abcdefghijklmnopqrst") == strjoin("ABCDEFG", "HIJKLMNOP"));
	@[this->s] = count();
	@["abcdefghijklmnopqrst"] = count();
	@[toupper("ABCDEFGHIJKLMNOP")] = count();
	@[strjoin("ABCDEFG", "HIJKLMNOP")] = count();
	a[this->s] = 7;
	printf("%d %d\n", a["abcdefghijklmnopqrst"], a["abcdefghi"]);
	printa("%s %@d\n", @);
	exit(0);
}
