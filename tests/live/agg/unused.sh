# SPDX-License-Identifier: GPL-2.0-or-later
# @@stderr: ^dtrace: warning: unused.d:17: no conversion of printa\( \) prints @r: adjacent
# Aggregations that no conversion of printa() prints: a warning, except of one that sorts.
cat >unused.d <<'D'
#pragma D option quiet
#pragma D option aggsortpos=1

BEGIN
{
	@q[1] = quantize(1);
	@q[2] = quantize(1);
	@r[1] = quantize(100);
	@r[2] = quantize(10);
	@n[1] = count();
	@n[2] = count();
	@n[1] = count();
	exit(0);
}
END
{
	printa("%d %@p50 %@p50\n", @q, @n, @r);
	printa("%d %@p50\n", @q, @r);
	printa("%d\n", @q);
	printa("%d %@p50 %@d\n", @q, @n);
	trunc(@n);
}
D
$DTRACE -s unused.d >out 2>err
cat err
[ "$(wc -l <err)" = 1 ]
grep '@r: adjacent percentiles are of one aggregation$' err
[ "$(head -2 out | tr '\n' ' ')" = '2 1 1 1 1 1 ' ]
