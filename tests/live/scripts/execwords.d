/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of a command, from the array of pointers that the call is given. */
/* @@trigger: sh -c '/usr/bin/env one "two words" three=3 >/dev/null 2>&1; exit 0' */
#pragma D option quiet

syscall::execve:entry
/progenyof($target) && basename(copyinstr(arg0)) == "env"/
{
	this->argv = (uint64_t *)copyin(arg1, 8 * 5);
	this->n = this->argv[0] ? this->argv[1] ? this->argv[2] ? this->argv[3] ? 4 : 3 : 2 : 1 : 0;
}

syscall::execve:entry
/this->n >= 1/
{
	printf("%s:", basename(copyinstr(this->argv[0])));
}

syscall::execve:entry
/this->n >= 2/
{
	printf(" [%s]", copyinstr(this->argv[1]));
}

syscall::execve:entry
/this->n >= 3/
{
	printf(" [%s]", copyinstr(this->argv[2]));
	this->space = index(copyinstr(this->argv[2]), " ");
}

syscall::execve:entry
/this->n >= 4/
{
	printf(" [%s] (%d words, ends %s, blank at %d)\n", copyinstr(this->argv[3], 5), this->n,
	    this->argv[4] == 0 ? "there" : "later", this->space);
	self->n = this->n;
}

syscall::execve:return
/self->n/
{
	self->n = 0;
	found++;
}

END { printf("%s\n", found ? "found" : "not found"); }
