/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @@trigger: sh -c 'echo hello world >/dev/null' */
/* alloca, bcopy, copyinto: constant and other sizes. */
#pragma D option quiet

BEGIN
{
	this->a = (char *)alloca(16);
	this->b = (char *)alloca(3);
	this->n = 5;
	this->c = (char *)alloca(this->n + 3);
	printf("%d %d\n", this->b - this->a, this->c - this->b);
	s = "source text";
	bcopy((char *)s, this->a, 12);
	printf("[%s]\n", stringof(this->a));
	bcopy((char *)"literal", this->a + 4, 8);
	printf("[%s]\n", stringof(this->a));
	this->n = 4;
	bcopy(this->a + 4, this->a, this->n);
	printf("[%s]\n", stringof(this->a));
}

syscall::write:entry
/pid == $target && arg2 == 12/
{
	this->a = (char *)alloca(64);
	this->a[0] = '<';
	copyinto(arg1, 11, this->a + 1);
	this->a[12] = '>';
	this->a[13] = 0;
	printf("%s\n", stringof(this->a));
	this->n = arg2 - 8;
	copyinto(arg1 + 6, this->n, this->a + this->n);
	printf("%s\n", stringof(this->a));
}

syscall::write:entry
/pid == $target && arg2 == 12/
{
	printf("%s\n", stringof(this->a));
}
