/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @@trigger: sh -c 'echo hello world >/dev/null; : </etc/passwd; : <""' */
/* The length is that of the text; into records, variables, keys, functions; empty texts. */
#pragma D option quiet

string g;
self string t;

syscall::write:entry
/pid == $target && arg2 == 12/
{
	printf("[%s] [%s] [%s] [%s]\n", copyinstr(arg1, arg2 - 1), copyinstr(arg1, 5),
	    copyinstr(arg1, 0),
	    copyinstr(arg1, 1));
	this->n = 4;
	printf("[%s] [%s]\n", copyinstr(arg1, this->n), copyinstr(arg1 + 6, this->n + 1));
	this->s = copyinstr(arg1, 11);
	g = copyinstr(arg1, 7);
	self->t = copyinstr(arg1, 8);
	a[copyinstr(arg1, 2)] = copyinstr(arg1, this->n - 1);
	printf("[%s] [%s] [%s] [%s]\n", this->s, g, self->t, a["he"]);
	printf("%d %d %d\n", this->s == "hello world", g == "hello w", self->t == "hello wo");
	printf("%d %d\n", strlen(copyinstr(arg1, 3)), copyinstr(arg1, 0) == "");
	g = copyinstr(arg1, this->n - 4);
	printf("%d %d\n", g == "", g == NULL);
	printf("[%s]\n", toupper(strjoin(copyinstr(arg1, 5), substr(copyinstr(arg1, 11), 5))));
	printf("[%s]\n", substr(copyinstr(arg1, -1), 0, 11));
	@[copyinstr(arg1, 5)] = count();
	@["hello"] = count();
}

syscall::openat:entry
/pid == $target && copyinstr(arg1) == "/etc/passwd"/
{
	printf("%s %s\n", copyinstr(arg1), basename(copyinstr(arg1)));
}

syscall::openat:entry
/pid == $target && copyinstr(arg1) == ""/
{
	g = copyinstr(arg1);
	printf("empty [%s] %d %d\n", copyinstr(arg1), g == "", strlen(g));
}

END
{
	printa("%s %@d\n", @);
}
