/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Global, thread-local and clause-local variables, declared and not; clauses of a probe run in
 * program order, and this-> lives from the first to the last of them.
 */
/* @@trigger: calls -t 2 -n 10 */
#pragma D option quiet

int total;
char tiny;
unsigned short us;
self char stiny;
self string text;
this short tshort;
this string ttext, s;

BEGIN
{
	tiny = 127;
	tiny++;
	us = 65535;
	us += 2;
	self->stiny = 200;
	this->tshort = 32767;
	this->tshort++;
	printf("%d %d %d %d\n", tiny, us, self->stiny, this->tshort);
	this->untyped = 1LL << 40;
	this->ttext = "in the first clause";
	self->text = "of the thread";
	global = "of all";
}

BEGIN
/this->untyped == 1LL << 40/
{
	printf("[%s] [%s] [%s] %d\n", this->ttext, self->text, global, this->tshort);
	this->ttext = strjoin(this->ttext, ", changed");
	self->text = NULL;
	this->untyped++;
}

BEGIN
{
	printf("[%s] %d %d\n", this->ttext, self->text == NULL, this->untyped - (1LL << 40));
	/* the same name in three scopes */
	same = 1;
	self->same = 2;
	this->same = 3;
	printf("%d %d %d %d\n", same, self->same, this->same,
	    same + self->same * 10 + this->same * 100);
}

/* Each firing begins with this-> of zeroes; each thread has its own self->. */
syscall::getppid:entry
/pid == $target/
{
	this->n++;
	this->s = this->s == NULL ? "fresh" : "stale";
	self->n++;
	total++;
}

syscall::getppid:entry
/pid == $target && this->n == 1/
{
	@first[this->s, this->n] = count();
	this->n = 5;
}

syscall::get*pid:entry
/pid == $target && this->n/
{
	@second[probefunc, this->n, this->s] = count();
	this->copy = this->n;
}

syscall::getppid:return
/pid == $target/
{
	@later[this->n, this->s == NULL, this->copy] = count();
}

syscall::getppid:return
/pid == $target && self->n == 10/
{
	@threads = count();
}

END
{
	printf("%d %d\n", total, this->same);
	printa("%s %d %@d\n", @first);
	printa("%s %d %s %@d\n", @second);
	printa("%d %d %d %@d\n", @later);
	printa("%@d\n", @threads);
}
