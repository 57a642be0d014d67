/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A system call's arguments, return value and errno. */
/* @@trigger: calls 0 -1 4294967296 -9223372036854775808 77 */
#pragma D option quiet

syscall::lseek:entry
/pid == $target && (int)arg0 == -1/
{
	@["entry", (int)arg0, arg1, arg2, (int)args[0], args[1], args[2], errno] = count();
	self->in = 1;
}

syscall::lseek:return
/self->in/
{
	@["return", arg0, arg1, errno, arg0 == -1, arg0 < 0, errno == 9, 0] = count();
	self->in = 0;
}

syscall::getppid:return
/pid == $target/
{
	@bad = count();
}

END
{
	printa("%s %d %d %d %d %d %d %d: %@d\n", @);
	printa("%@d\n", @bad);
}
