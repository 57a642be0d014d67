/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often each function of a program is called, with statistics of its first argument. */
/* @@trigger: victim 40 */
#pragma D option quiet

pid$target:victim:s*n:entry,
pid$target:victim:points:entry
{
	@calls[probemod, probefunc] = count();
	@sums[probefunc] = sum(arg0);
	@range[probefunc] = min((int)arg0);
	@top[probefunc] = max((int)arg0);
	@mean[probefunc] = avg(arg0);
	calls++;
}

pid$target:victim:seven:return
/arg1 > 7 * 30/
{
	@large[probefunc, arg1 / 100 * 100] = count();
}

END
{
	printf("%-8s %6s %6s %4s %4s %4s\n", "FUNCTION", "CALLS", "SUM", "MIN", "MAX", "AVG");
	trunc(@calls, 10);
	printa("%s %s %@d\n", @calls);
	printa("%-8s %@6d %@4d %@4d %@4d\n", @sums, @range, @top, @mean);
	printa("%s above %d: %@d\n", @large);
	printf("%d calls\n", calls);
}
