/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * More thread-local variables than the allocator has that Linux 6.19 and later take a task's
 * storage from (8 KB).
 */
/* @@trigger: calls -n 1 */
#pragma D option quiet
#pragma D option strsize=4000

syscall::getppid:entry
/pid == $target/
{
	self->a = "first";
	self->b = strjoin(self->a, "second");
	self->c = strjoin(self->b, "third");
	self->n = 7;
}

syscall::getppid:return
/self->n == 7/
{
	printf("%s %s %s\n", self->a, self->b, self->c);
	self->n = 0;
}
