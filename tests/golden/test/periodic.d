/*
 * Aggregations that are printed and cleared with each tick; printa() of several, with keys in
 * order.
 *
 * @test
 * fire io:::start execname="a" arg0=512
 * fire io:::start execname="b" arg0=4096
 * fire io:::start execname="b" arg0=4096
 * fire profile:::tick-5s after=5s
 * fire io:::start execname="a" arg0=100
 * fire profile:::tick-5s after=5s
 * output
 * a        1 512
 * b        2 8192
 * --
 * b        0 0
 * a        1 100
 * --
 */
#pragma D option quiet

io:::start
{
	@n[execname] = count();
	@bytes[execname] = sum(arg0);
}

tick-5s
{
	printa("%-8s %@d %@d\n", @n, @bytes);
	printf("--\n");
	clear(@n);
	clear(@bytes);
}

END
{
	trunc(@n);
	trunc(@bytes);
}
