/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Percentiles of distributions: within a bucket values lie evenly, an open bucket is its end, and
 * no value gives 0.
 */
#pragma D option quiet

BEGIN
{
	@q = quantize(1);
	@q = quantize(2);
	@q = quantize(4);
	@q = quantize(100);
	@l = lquantize(1, 0, 10, 1);
	@l = lquantize(2, 0, 10, 1);
	@l = lquantize(3, 0, 10, 1);
	@l = lquantize(50, 0, 10, 1);
	@n = count();
	/* those side by side are of one aggregation */
	printa("%@p50 %@p99 %@p100 %@d\n", @q, @n);
	printa("%@p50 %@d %@p50\n", @q, @n, @l);
	printa("p25=%@p25 p50=%@p50 p75=%@p75 p99.9=%@p99.9 [%-8@p10|%@8p10]\n", @l);
	@even = quantize(64, 10);
	printa("%@p10 %@p50 %@p90 %@p0.001\n", @even);
	@tail = lquantize(5, 0, 10, 1, 999);
	@tail = lquantize(9, 0, 10, 1, 1);
	printa("%@p99 %@p99.9 %@p99.95\n", @tail);
	@ends = quantize(1ULL << 62);
	@ends = quantize(-1LL << 63);
	printa("%@p1 %@p50 %@p100\n", @ends);
	@ll = llquantize(150, 10, 1, 3, 10);
	@ll = llquantize(151, 10, 1, 3, 10);
	@ll = llquantize(999999, 10, 1, 3, 10);
	@ll = llquantize(-150, 10, 1, 3, 10);
	printa("%@p25 %@p50 %@p75 %@p100\n", @ll);
	@k["b", 5] = quantize(-5);
	@k["a", 6] = quantize(0);
	printa("%s %p50 %@p50\n", @k);
	clear(@k);
	printa("%s %@p99\n", @k);
	normalize(@even, 10);
	printa("%@p50\n", @even);
	exit(0);
}
