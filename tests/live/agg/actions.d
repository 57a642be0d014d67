/*
 * What acts on aggregations, at END, when all has been counted; what was printed is not printed
 * again.
 */
/* @@trigger: calls -n 3 -- 1 1 1 1 2 2 2 3 3 4 */
#pragma D option quiet
syscall::lseek:entry
/pid == $target/
{
	@a[arg1] = count();
	@b[arg1] = sum(arg1 * 10);
	@q[execname] = quantize(arg1);
	@later[execname] = count();
	@never[1, "x"] = max(-3);
	@cleared[arg1] = count();
	@gone[arg1] = count();
}
END
{
	printa("one %d: %@d\n", @a);
	printa("two %d: %@d %@d\n", @a, @b);
	printa("wide %-6d|%@8u|%@x\n", @a, @b);
	printa(@a, @b);
	printa("%s%@d", @q);
	normalize(@b, 7);
	printa("normal %d: %@d\n", @b);
	denormalize(@b);
	printa("back %d: %@d\n", @b);
	trunc(@a, 3);
	printa("largest %d: %@d\n", @a);
	trunc(@a, -2);
	printa("smallest of these %d: %@d\n", @a);
	trunc(@a, 5);
	printa("still %d: %@d\n", @a);
	clear(@cleared);
	printa("cleared %d: %@d\n", @cleared);
	trunc(@gone);
	printa("gone %d: %@d\n", @gone);
	printf("the end\n");
}
