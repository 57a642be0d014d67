/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last calls of a program before it ends, from a ring that forgets the older ones. */
/* @@trigger: calls -n 1 10 20 30 40 50 60 70 80 90 100 */
#pragma D option quiet
#pragma D option bufpolicy=ring
#pragma D option bufsize=4k

syscall::lseek:entry
/pid == $target/
{
	self->value = arg1;
}

syscall::lseek:return
/self->value/
{
	printf("%s(-1, %d) = %d (%s)\n", probefunc, self->value, (int)arg1,
	    errno == EBADF ? "EBADF" : "?");
	self->value = 0;
}

proc:::exit
/pid == $target/
{
	printf("%s exits: %d\n", execname, (int)args[0] == CLD_EXITED);
	exit(0);
}
