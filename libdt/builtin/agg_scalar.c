/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregating functions with one number for a result: count, sum, min, max, avg, stddev. */
#include "libdt/builtin/agg.h"

#include <inttypes.h>

int64_t agg_normal(int64_t v, int64_t normal)
{
	if (normal == 1)
		return v;
	return normal > 0 ? v / normal : 0; /* what is above INT64_MAX as unsigned leaves nothing */
}

static int one_word(const int64_t *params)
{
	(void)params;
	return 1;
}

static int64_t first_scalar(const int64_t *v, const struct aggr *ag)
{
	return agg_normal(v[0], ag->normal);
}

static void add_merge(int64_t *into, const int64_t *from, int words)
{
	for (int i = 0; i < words; i++)
		into[i] = (uint64_t)into[i] + (uint64_t)from[i];
}

static int compare_numbers(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int first_compare(const int64_t *a, const int64_t *b, const struct aggr *ag)
{
	(void)ag;
	return compare_numbers(a[0], b[0]);
}

static void scalar_print(struct fmt_ctx *ctx, const int64_t *v, const struct aggr *ag)
{
	fprintf(ctx->out, " %16" PRId64, ag->func->scalar(v, ag));
}

static bool first_empty(const int64_t *v)
{
	return !v[0];
}

const struct aggfunc aggfunc_count = {
	.name = "count",
	.words = one_word,
	.merge = add_merge,
	.compare = first_compare,
	.print = scalar_print,
	.scalar = first_scalar,
	.is_empty = first_empty,
};

const struct aggfunc aggfunc_sum = {
	.name = "sum",
	.words = one_word,
	.merge = add_merge,
	.compare = first_compare,
	.print = scalar_print,
	.scalar = first_scalar,
	.is_empty = first_empty,
};

/* ---- min and max: what had no event, after clear(), is 0 */

static void min_init(int64_t *v, const int64_t *params)
{
	(void)params;
	v[0] = INT64_MAX;
}

static bool min_empty(const int64_t *v)
{
	return v[0] == INT64_MAX;
}

static void min_merge(int64_t *into, const int64_t *from, int words)
{
	(void)words;
	into[0] = MIN(into[0], from[0]);
}

static int64_t min_scalar(const int64_t *v, const struct aggr *ag)
{
	return min_empty(v) ? 0 : agg_normal(v[0], ag->normal);
}

static int min_compare(const int64_t *a, const int64_t *b, const struct aggr *ag)
{
	(void)ag;
	return compare_numbers(min_empty(a) ? 0 : a[0], min_empty(b) ? 0 : b[0]);
}

const struct aggfunc aggfunc_min = {
	.name = "min",
	.words = one_word,
	.init = min_init,
	.merge = min_merge,
	.compare = min_compare,
	.print = scalar_print,
	.scalar = min_scalar,
	.is_empty = min_empty,
};

static void max_init(int64_t *v, const int64_t *params)
{
	(void)params;
	v[0] = INT64_MIN;
}

static bool max_empty(const int64_t *v)
{
	return v[0] == INT64_MIN;
}

static void max_merge(int64_t *into, const int64_t *from, int words)
{
	(void)words;
	into[0] = MAX(into[0], from[0]);
}

static int64_t max_scalar(const int64_t *v, const struct aggr *ag)
{
	return max_empty(v) ? 0 : agg_normal(v[0], ag->normal);
}

static int max_compare(const int64_t *a, const int64_t *b, const struct aggr *ag)
{
	(void)ag;
	return compare_numbers(max_empty(a) ? 0 : a[0], max_empty(b) ? 0 : b[0]);
}

const struct aggfunc aggfunc_max = {
	.name = "max",
	.words = one_word,
	.init = max_init,
	.merge = max_merge,
	.compare = max_compare,
	.print = scalar_print,
	.scalar = max_scalar,
	.is_empty = max_empty,
};

/* ---- avg */

static int two_words(const int64_t *params)
{
	(void)params;
	return 2;
}

/* The sum is normalised before the division, as ever. */
static int64_t average(const int64_t *v, int64_t normal)
{
	if (!v[0])
		return 0;
	if (v[0] == -1) /* only an overflow gets there, and INT64_MIN / -1 would trap */
		return -(uint64_t)agg_normal(v[1], normal);
	return agg_normal(v[1], normal) / v[0];
}

static int64_t avg_scalar(const int64_t *v, const struct aggr *ag)
{
	return average(v, ag->normal);
}

static int avg_compare(const int64_t *a, const int64_t *b, const struct aggr *ag)
{
	(void)ag;
	return compare_numbers(average(a, 1), average(b, 1));
}

const struct aggfunc aggfunc_avg = {
	.name = "avg",
	.words = two_words,
	.merge = add_merge,
	.compare = avg_compare,
	.print = scalar_print,
	.scalar = avg_scalar,
	.is_empty = first_empty,
};

/* ---- stddev: sqrt(average(x^2) - average(x)^2), all in integers */

typedef unsigned __int128 u128; /* the only name for it is two words */

static int four_words(const int64_t *params)
{
	(void)params;
	return 4;
}

static u128 squares(const int64_t *v)
{
	return (u128)(uint64_t)v[3] << 64 | (uint64_t)v[2];
}

static void stddev_merge(int64_t *into, const int64_t *from, int words)
{
	u128 sum = squares(into) + squares(from);

	(void)words;
	add_merge(into, from, 2);
	into[2] = (int64_t)(uint64_t)sum;
	into[3] = (int64_t)(uint64_t)(sum >> 64);
}

static uint64_t square_root(u128 n)
{
	u128 root = 0;

	for (int bit = 63; bit >= 0; bit--) {
		u128 next = root | (u128)1 << bit;

		if (next * next <= n)
			root = next;
	}
	return root;
}

static int64_t deviation(const int64_t *v, int64_t normal)
{
	int64_t avg = average(v, normal);
	u128 of_squares = squares(v), of_avg = (u128)((__int128)avg * avg);

	if (!v[0])
		return 0;
	of_squares = of_squares / (uint64_t)normal / (uint64_t)normal / (uint64_t)v[0];
	return of_squares > of_avg ? (int64_t)square_root(of_squares - of_avg) : 0;
}

static int64_t stddev_scalar(const int64_t *v, const struct aggr *ag)
{
	return deviation(v, ag->normal);
}

static int stddev_compare(const int64_t *a, const int64_t *b, const struct aggr *ag)
{
	(void)ag;
	return compare_numbers(deviation(a, 1), deviation(b, 1));
}

const struct aggfunc aggfunc_stddev = {
	.name = "stddev",
	.words = four_words,
	.merge = stddev_merge,
	.compare = stddev_compare,
	.print = scalar_print,
	.scalar = stddev_scalar,
	.is_empty = first_empty,
};
