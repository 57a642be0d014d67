/* The most levels that lquantize() takes, and llquantize() of one order of magnitude. */
#pragma D option quiet
BEGIN
{
	@levels = lquantize(-1, 0, 65535, 1);
	@levels = lquantize(65534, 0, 65535, 1);
	@levels = lquantize(65535, 0, 65535, 1);
	@order = llquantize(99, 10, 2, 2, 10);
	@order = llquantize(100, 10, 2, 2, 10);
	@order = llquantize(1000, 10, 2, 2, 10);
	exit(0);
}

END
{
	printa("%@p1 %@p50 %@p99\n", @levels);
	printa(@order);
}
