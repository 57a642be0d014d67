/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @@err: */
/*
 * Scratch has room for all constant sizes of a firing, over its clauses; other sizes have
 * scratchsize beside that.
 */
#pragma D option quiet
#pragma D option scratchsize=100000

BEGIN
{
	this->a = (char *)alloca(100000);
	this->a[99999] = 'z';
	this->n = 100000;
	this->v = (char *)alloca(this->n);
	this->v[99999] = 'v';
}

BEGIN
{
	this->b = (char *)alloca(6000);
	this->b[5999] = 'y';
	this->s = (char *)alloca(sizeof (int [10]));
	this->s[39] = 'x';
	printf("%c%c%c%c %d %d\n", this->a[99999], this->v[99999], this->b[5999],
	    this->s[39], this->v - this->a, this->s - this->b);
	bcopy(this->a + 50000, this->b, 6000);
	printf("%d\n", this->b[5999]);
}

BEGIN
{
	this->v = (char *)alloca(this->n + 1);
}

BEGIN
{
	this->b[6000 - 8] = 0;
	*(uint64_t *)(this->s + 40 + 8) = 1;
}

BEGIN
{
	exit(0);
}
