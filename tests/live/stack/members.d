/* @@opts: -q */
/* @@err: */
/* Members of the values of stack() and ustack(). */
BEGIN
{
	x = ustack();
	this->s = ustack(2);
	i = 1;
	printf("%d %d %d\n", stack(3).depth <= 3, stack().is_user, stack().pid);
	printf("%d %d %d %d\n", x.is_user, x.pid == pid, ustack(3, 40).strsz,
	    x.depth == ustackdepth);
	printf("%d %d %d\n", x.addrs[0] == this->s.addrs[i - 1], this->s.addrs[0] == uregs[R_PC],
	    this->s.depth <= 2);
}
BEGIN
{
	printf("%d\n", this->s.addrs[i + 1]);
}
ERROR { printf("fault %d\n", arg4); exit(0); }
