#!/usr/sbin/dtrace -s
/*
 * execs: programs that start, by the system call execve
 *
 * Usage: dtrace -x tool=execs
 *
 * execsnoop does this with all arguments, and for every kind of exec. With -c or -p: only
 * this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=execs -c "sh -c 'ls / | wc -l'"
 *	TIME                     PID    PPID COMMAND
 *	2026 Nov 21 10:00:01    4712    4711 ls /
 *	2026 Nov 21 10:00:01    4713    4711 wc -l
 */
#pragma D option quiet

dtrace:::BEGIN
{
	printf("%-20s %7s %7s %s\n", "TIME", "PID", "PPID", "COMMAND");
}

/*
 * argv is an array of pointers that ends with 0. It is read before the new program replaces the
 * old one's memory; pointers after the end are not read.
 */
syscall::execve:entry
/$target == 0 || progenyof($target)/
{
	this->argv = arg1;
	this->p0 = *(uint64_t *)copyin(this->argv, 8);
	this->p1 = this->p0 ? *(uint64_t *)copyin(this->argv + 8, 8) : 0;
	this->p2 = this->p1 ? *(uint64_t *)copyin(this->argv + 16, 8) : 0;
	this->p3 = this->p2 ? *(uint64_t *)copyin(this->argv + 24, 8) : 0;
	self->a0 = this->p0 ? copyinstr(this->p0) : "";
	self->a1 = this->p1 ? copyinstr(this->p1) : "";
	self->a2 = this->p2 ? copyinstr(this->p2) : "";
	self->a3 = this->p3 ? copyinstr(this->p3) : "";
	self->exec = 1;
}

syscall::execve:return
/self->exec && arg0 == 0/
{
	printf("%Y %7d %7d %s %s %s %s\n", walltimestamp, pid, ppid, self->a0, self->a1, self->a2,
	    self->a3);
}

syscall::execve:return
{
	self->exec = 0;
}
