# SPDX-License-Identifier: GPL-2.0-or-later
# In a table of several aggregations, rows are joined by the values of their keys, as the first
# aggregation has them.
$DTRACE -q -x oformat=csv -x aggsortkey -n 'BEGIN {
	@text[execname, -1] = sum(1);
	@long["dtrace", (long)-1] = sum(2);
	@long["dtrace", 4294967295] = sum(4);
	@long["d", 65] = sum(8);
	@letter["dtrace", (char)-1] = sum(16);
	@letter["d", (char)65] = sum(32);
	@unsigned["dtrace", (uint64_t)-1] = sum(64);
	printa(@text, @long, @letter, @unsigned);
	exit(0);
}' | cut -d, -f2-
