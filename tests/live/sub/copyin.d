/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @@trigger: sh -c 'echo hello world >/dev/null' */
/*
 * Scratch can be written, also one byte behind what was copied, and lives on in the next clauses.
 */
#pragma D option quiet

struct pair {
	short a;
	char b[2];
};

syscall::write:entry
/pid == $target && arg2 == 12/
{
	this->p = (char *)copyin(arg1, arg2);
	this->q = (char *)copyin(arg1 + 6, 5);
	this->n = 5;
	printf("%c%c %c %d\n", this->p[0], this->p[4], *this->q, this->p[11]);
	this->p[5] = '\0';
	this->q[this->n] = '\0';
	printf("[%s] [%s]\n", stringof(this->p), stringof(this->q));
	printf("%x %x\n", *(int *)copyin(arg1, 4), *(uint64_t *)copyin(arg1, sizeof(uint64_t)));
	this->s = (struct pair *)copyin(arg1, sizeof(struct pair));
	printf("%x %c%c\n", this->s->a, this->s->b[0], this->s->b[1]);
	this->s->a = 0x4142;
	this->s->b[0]++;
}

syscall::write:entry
/pid == $target && arg2 == 12 && this->p[0] == 'h'/
{
	this->more = (char *)copyin(arg1, this->n - 1);
	printf("%s %s %s\n", stringof(this->p), stringof(this->q),
	    substr(stringof(this->more), 0, 4));
	printf("%x %c\n", this->s->a, this->s->b[0]);
	this->p[5] = '-';
	this->p[11] = '\0';
	printf("%s %d\n", stringof(this->p), strlen(stringof(this->p)));
	s = (string)this->p;
	printf("%s\n", s);
}
