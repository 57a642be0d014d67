/* Keys of several aggregations are joined by their values: those that only a kernel has. */
#pragma D option quiet
BEGIN
{
	@exec[execname] = sum(1);
	@comm[curthread->comm] = sum(2);
	@name["dtrace"] = sum(4);
	printa("%s %@d %@d %@d\n", @exec, @comm, @name);
	printa("%s %@d %@d %@d\n", @name, @comm, @exec);
	@pid[pid] = sum(1);
	@target[$pid] = sum(2);
	@other[(long)$pid] = sum(4);
	printa("%@d %@d %@d\n", @pid, @target, @other);
	@stack[stack()] = sum(1);
	@more[stack(50)] = sum(2);
	printa("%@d %@d\n", @stack, @more);
	@user[ustack()] = sum(1);
	@java[jstack()] = sum(2);
	printa("%@d %@d\n", @user, @java);
	@thread[curthread] = sum(1);
	@number[(long)curthread] = sum(2);
	@unsigned[(uint64_t)curthread] = sum(4);
	printa("%@d %@d %@d\n", @number, @unsigned, @thread);
	exit(0);
}
