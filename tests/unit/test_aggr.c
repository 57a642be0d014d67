/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregations in user space: buckets, merging, order, and what is printed, to the byte. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/builtin/agg.h"
#include "libdt/consumer/aggr_key.h"
#include "libdt/symbols/ksym.h"

static struct types *types;
static struct arena *arena;
static struct aggrs *as;
static struct fmt_ctx ctx;
static const struct aggr_sort by_value;

static void setup(void)
{
	types = types_new(false, "none");
	arena = arena_new();
	as = aggrs_new(4);
	ctx = (struct fmt_ctx){.types = types, .stackindent = 14};
}

static void teardown(void)
{
	aggrs_free(as);
	arena_free(arena);
	types_free(types);
}

/* ---- the buckets against their plain definitions */

static int plain_quantize(int64_t v)
{
	__int128 low = 1;

	if (!v)
		return 63;
	for (int k = 0; k < 63; k++, low *= 2) {
		if (v > 0 && v >= low && v < low * 2)
			return 64 + k;
		if (v < 0 && v <= -low && v > -low * 2)
			return 62 - k;
	}
	return v < 0 ? 0 : 126;
}

static int plain_lquantize(int64_t v, const int64_t *params)
{
	int64_t step = params[2] ? params[2] : 1, levels = (params[1] - params[0]) / step;

	if (v < params[0])
		return 0;
	for (int64_t i = 0; i < levels; i++)
		if (v >= params[0] + i * step && v < params[0] + (i + 1) * step)
			return i + 1;
	return levels + 1;
}

/* Walks the buckets upwards from factor^low. */
static int plain_llquantize(int64_t v, const int64_t *params)
{
	__int128 factor = params[0], end = 1, low, mag = v < 0 ? -(__int128)v : v;
	int k = 1, found = -1, side;

	for (int i = 0; i < params[1]; i++)
		end *= factor;
	low = end;
	if (mag < end)
		found = 0;
	for (int order = params[1]; order <= params[2]; order++) {
		__int128 next = low * factor, step = next > params[3] ? next / params[3] : 1;

		for (end = low; end < next; k++) {
			__int128 first = end;

			end = end < step ? step : end + step;
			if (mag >= first && mag < end)
				found = k;
		}
		low = next;
	}
	side = k - 1;
	if (found < 0)
		found = side + 1;
	return side + 1 + (v < 0 ? -found : found);
}

/* Calls with every power of two, three and ten and what is near, small numbers, and the ends. */
static void many(void (*with)(int64_t v, const int64_t *params), const int64_t *params)
{
	static const int bases[] = {2, 3, 10};

	for (int64_t v = -3000; v <= 3000; v++)
		with(v, params);
	for (size_t b = 0; b < ARRAY_SIZE(bases); b++) {
		for (__int128 p = 1; p < (__int128)INT64_MAX; p *= bases[b]) {
			for (int off = -2; off <= 2; off++) {
				with(p + off, params);
				with(-p - off, params);
			}
		}
	}
	for (int off = 0; off < 3; off++) {
		with(INT64_MIN + off, params);
		with(INT64_MAX - off, params);
	}
	srand48(1);
	for (int i = 0; i < 5000; i++)
		with((int64_t)((uint64_t)mrand48() << 32 ^ (uint32_t)mrand48()) >> (lrand48() % 64),
		     params);
}

static void with_quantize(int64_t v, const int64_t *params)
{
	int bucket = quantize_bucket(v);

	(void)params;
	ck_assert_msg(bucket == plain_quantize(v), "quantize %lld", (long long)v);
	if (v != INT64_MIN)
		ck_assert(v < 0 ? quantize_value(bucket) >= v : quantize_value(bucket) <= v);
}

static void with_lquantize(int64_t v, const int64_t *params)
{
	ck_assert_msg(lquantize_bucket(v, params) == plain_lquantize(v, params), "lquantize %lld",
		      (long long)v);
}

static void with_llquantize(int64_t v, const int64_t *params)
{
	int want = plain_llquantize(v, params), is = llquantize_bucket(v, params);

	ck_assert_msg(is == want, "llquantize %lld of %lld %lld %lld %lld: %d, not %d",
		      (long long)v, (long long)params[0], (long long)params[1],
		      (long long)params[2], (long long)params[3], is, want);
}

START_TEST(test_quantize_buckets)
{
	many(with_quantize, NULL);
	ck_assert_int_eq(quantize_bucket(1), 64);
	ck_assert_int_eq(quantize_bucket(-1), 62);
	ck_assert_int_eq(quantize_bucket(INT64_MAX), 126);
	ck_assert_int_eq(quantize_bucket(INT64_MIN), 0);
	ck_assert_int_eq(quantize_value(126), 1LL << 62);
	ck_assert_int_eq(quantize_value(0), -(1LL << 62));
}
END_TEST

START_TEST(test_lquantize_buckets)
{
	static const int64_t params[][3] = {
	    {0, 100, 10},  {0, 100, 1},	   {-50, 50, 7},
	    {10, 1000, 0}, {-100, -10, 3}, {INT32_MIN, INT32_MAX, 1 << 26},
	    {0, 5, 10},	   {3, 3, 1},
	};

	for (size_t i = 0; i < ARRAY_SIZE(params); i++)
		many(with_lquantize, params[i]);
	ck_assert_int_eq(lquantize_levels((int64_t[]){0, 100, 10}), 10);
	ck_assert_int_eq(lquantize_levels((int64_t[]){5, 4, 1}), -1);
	ck_assert_int_eq(lquantize_levels((int64_t[]){0, 4, -1}), -1);
	ck_assert_int_eq(lquantize_levels((int64_t[]){INT64_MIN, INT64_MAX, 1}), -1);
}
END_TEST

START_TEST(test_llquantize_buckets)
{
	static const int64_t good[][4] = {
	    {10, 0, 6, 20}, {10, 0, 6, 10},  {10, 3, 3, 100}, {2, 0, 10, 4},	 {2, 0, 62, 2},
	    {16, 1, 7, 16}, {10, 0, 18, 20}, {5, 0, 5, 25},   {10, 2, 17, 1000}, {2, 5, 20, 64},
	    {3, 0, 8, 9},   {10, 0, 17, 50}, {10, 0, 6, 5},   {10, 0, 17, 2},	 {4, 0, 1, 2},
	    {16, 2, 7, 8},  {10, 0, 3, 1},   {12, 1, 5, 3},
	};
	static const int64_t bad[][4] = {
	    {1, 0, 3, 10},  {10, 3, 2, 10},  {10, 0, 3, 3},	  {10, 0, 3, 0},
	    {10, 0, 3, 15}, {10, 0, 20, 10}, {10, 0, 3, 30},	  {10, -1, 3, 10},
	    {0, 0, 0, 0},   {2, 0, 64, 2},   {2, 0, 60, 1 << 20},
	};
	struct llquantize_order o;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		many(with_llquantize, good[i]);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		ck_assert_msg(llquantize_side(bad[i]) == -1, "bad %zu", i);
	ck_assert_int_eq(llquantize_side(good[0]), 9 + 6 * 18);
	ck_assert(llquantize_order(good[0], 2, &o));
	ck_assert_uint_eq(o.lo, 100);
	ck_assert_uint_eq(o.end, 1000);
	ck_assert_uint_eq(o.width, 50);
	ck_assert_int_eq(o.first, 1 + 9 + 18);
	ck_assert_int_eq(o.n, 18);
	ck_assert(!llquantize_order(good[0], 7, &o));
}
END_TEST

/* ---- aggregations to print */

static struct aggr *keyed(const char *name, const struct aggfunc *func, const struct aggr_col *cols,
			  int ncols, uint32_t key_size)
{
	struct aggr_desc d = {name, func, .cols = cols, .ncols = ncols, .key_size = key_size};

	return aggr_add(as, &d);
}

static struct aggr *plain(const char *name, const struct aggfunc *func, const int64_t *p)
{
	struct aggr_desc d = {.name = name, .func = func};

	if (p)
		memcpy(d.params, p, 4 * sizeof(*p));
	return aggr_add(as, &d);
}

#define NAME_SIZE 16

/* @name[string] */
static struct aggr *by_name(const char *name, const struct aggfunc *func)
{
	struct aggr_col col = {.type = type_string(types), .size = NAME_SIZE};

	return keyed(name, func, &col, 1, NAME_SIZE);
}

static void add(struct aggr *ag, const char *key, int64_t v)
{
	char bytes[NAME_SIZE] = "";
	int64_t value[4] = {v};

	if (!strcmp(ag->func->name, "avg") || !strcmp(ag->func->name, "stddev")) {
		unsigned __int128 square = (__int128)v * v;

		value[0] = 1;
		value[1] = v;
		value[2] = square;
		value[3] = square >> 64;
	}
	memcpy(bytes, key, strlen(key));
	aggr_merge(as, ag, bytes, 0, value);
}

static int bucket_of(const struct aggr *ag, int64_t v)
{
	return ag->func == &aggfunc_quantize	? quantize_bucket(v)
	       : ag->func == &aggfunc_lquantize ? lquantize_bucket(v, ag->params)
						: llquantize_bucket(v, ag->params);
}

/* Both ends of a bucket are in it, and the next one begins after it; only the outermost have no
 * ends. */
START_TEST(test_ranges)
{
	static const struct {
		const struct aggfunc *func;
		int64_t params[4];
	} cases[] = {
	    {&aggfunc_quantize, {0}},
	    {&aggfunc_lquantize, {0, 100, 10}},
	    {&aggfunc_lquantize, {-7, 95, 0}},
	    {&aggfunc_lquantize, {-20, 5, 10}},
	    {&aggfunc_llquantize, {10, 0, 6, 20}},
	    {&aggfunc_llquantize, {10, 3, 3, 100}},
	    {&aggfunc_llquantize, {2, 0, 61, 2}},
	    {&aggfunc_llquantize, {5, 0, 5, 25}},
	};

	for (size_t c = 0; c < ARRAY_SIZE(cases); c++) {
		struct aggr *ag = plain("a", cases[c].func, cases[c].params);
		int64_t low, high, before = INT64_MIN;

		for (int i = 0; i < ag->words; i++) {
			ag->func->range(i, ag, &low, &high);
			ck_assert_msg(i ? low == before + 1 : low == INT64_MIN,
				      "%zu: %d begins at %lld", c, i, (long long)low);
			ck_assert_msg(low <= high && (!i || bucket_of(ag, low) == i) &&
					  bucket_of(ag, high) == i,
				      "%zu: %d", c, i);
			before = high;
		}
		ck_assert_int_eq(high, INT64_MAX);
	}
}
END_TEST

static void add_quantize(struct aggr *ag, const char *key, int64_t v, int64_t incr)
{
	char bytes[NAME_SIZE] = "";
	int64_t value[1024] = {0};
	int bucket = bucket_of(ag, v);

	ck_assert_int_lt(bucket, ag->words);
	value[bucket] = incr;
	memcpy(bytes, key, strlen(key));
	aggr_merge(as, ag, bytes, 0, value);
}

static char *text;
static size_t text_len;

static const char *finish(void)
{
	static char copy[65536];

	fclose(ctx.out);
	ck_assert_uint_lt(text_len, sizeof(copy));
	memcpy(copy, text, text_len + 1);
	free(text);
	return copy;
}

static const char *print_with(struct aggr *const *ags, int n, const struct aggr_sort *sort)
{
	ctx.out = open_memstream(&text, &text_len);
	ck_assert_int_eq(aggr_print(&ctx, ags, n, sort), 0);
	return finish();
}

static const char *print(struct aggr *ag)
{
	return print_with(&ag, 1, &by_value);
}

static const char *printa(const char *format, struct aggr *const *ags, int n)
{
	const struct type *args[4];
	struct diag d = {0};
	struct fmt *f;

	for (int i = 0; i < ags[0]->ncols; i++)
		args[i] = ags[0]->cols[i].type;
	if (setjmp(d.recover))
		ck_abort_msg("%s: %s", format, d.msg.s);
	f = fmt_parse(arena, &d, (struct loc){0}, format, strlen(format));
	fmt_check(f, &d, types, (struct loc){0}, "printa", args, NULL, ags[0]->ncols, true);
	ctx.out = open_memstream(&text, &text_len);
	ck_assert_int_eq(aggr_printf(&ctx, f, ags, n, &by_value), 0);
	return finish();
}

START_TEST(test_unkeyed)
{
	struct aggr *count = plain("_", &aggfunc_count, NULL),
		    *sum = plain("s", &aggfunc_sum, NULL);
	struct aggr *min = plain("min", &aggfunc_min, NULL),
		    *max = plain("max", &aggfunc_max, NULL);
	struct aggr *avg = plain("avg", &aggfunc_avg, NULL),
		    *dev = plain("d", &aggfunc_stddev, NULL);
	struct aggr *all[] = {count, sum, min, max, avg, dev};
	static const int64_t values[] = {10, -3, 7, 100};

	ck_assert_str_eq(print(count), "");
	ck_assert(!count->printed);
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		add(count, "", 1);
		for (size_t j = 1; j < ARRAY_SIZE(all); j++)
			add(all[j], "", values[i]);
	}
	ck_assert_str_eq(print(count), "                4\n");
	ck_assert(count->printed);
	ck_assert_str_eq(print(sum), "              114\n");
	ck_assert_str_eq(print(min), "               -3\n");
	ck_assert_str_eq(print(max), "              100\n");
	ck_assert_str_eq(print(avg), "               28\n");
	ck_assert_str_eq(print(dev), "               41\n"); /* sqrt(10158 / 4 - 28 * 28) */
	ck_assert_int_eq(aggr_normalize(sum, 10), 0);
	ck_assert_int_eq(aggr_normalize(sum, 0), -EINVAL);
	aggr_normalize(avg, 3);
	aggr_normalize(dev, 2);
	ck_assert_str_eq(print(sum), "               11\n");
	ck_assert_str_eq(print(avg), "                9\n"); /* 114 / 3 / 4 */
	/* sqrt(10158 / 2 / 2 / 4 - 14 * 14) = sqrt(438) */
	ck_assert_str_eq(print(dev), "               20\n");
	aggr_normalize(sum, 1);
	aggr_normalize(min, -1);
	ck_assert_str_eq(print(min), "                3\n");
	ck_assert_str_eq(print_with(all, 3, &by_value),
			 "                4              114                3\n");
	ck_assert_int_eq(aggr_quotient(INT64_MIN, -1), INT64_MIN);
	for (size_t j = 0; j < ARRAY_SIZE(all); j++) {
		aggr_normalize(all[j], 1);
		aggr_clear(all[j]);
		ck_assert_str_eq(print(all[j]), "                0\n");
	}
	add(min, "", INT64_MAX);
	add(max, "", INT64_MIN);
	ck_assert_str_eq(print(min), " 9223372036854775807\n");
	ck_assert_str_eq(print(max), " -9223372036854775808\n");
	add(min, "", 5);
	add(max, "", -5);
	ck_assert_str_eq(print(min), "                5\n");
	ck_assert_str_eq(print(max), "               -5\n");
	aggr_trunc(count, 0);
	ck_assert_str_eq(print(count), "");
}
END_TEST

START_TEST(test_stddev_big)
{
	struct aggr *dev = plain("d", &aggfunc_stddev, NULL),
		    *one = plain("o", &aggfunc_stddev, NULL);
	struct aggr *ends = plain("e", &aggfunc_stddev, NULL);

	for (int i = 0; i < 1000; i++)
		add(dev, "", i % 2 ? 3000000000000000 : -3000000000000000);
	ck_assert_str_eq(print(dev), " 3000000000000000\n");
	add(one, "", 1);
	add(one, "", 2);
	ck_assert_str_eq(print(one), "                1\n"); /* 5 / 2 - 1 * 1 */
	add(ends, "", INT64_MAX);
	add(ends, "", -INT64_MAX);
	ck_assert_str_eq(print(ends), " 9223372036854775807\n");
}
END_TEST

START_TEST(test_wrapped)
{
	struct aggr *sum = plain("s", &aggfunc_sum, NULL), *avg = plain("a", &aggfunc_avg, NULL),
		    *max = plain("m", &aggfunc_max, NULL);
	struct aggr *all[] = {sum, avg, max};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		add(all[i], "", INT64_MAX);
		ck_assert(!all[i]->wrapped);
		add(all[i], "", INT64_MAX);
	}
	ck_assert(sum->wrapped && avg->wrapped && !max->wrapped);
}
END_TEST

START_TEST(test_keyed)
{
	struct aggr *ag = by_name("a", &aggfunc_count);
	struct aggr_sort sort = {0};

	add(ag, "sshd", 3);
	add(ag, "bash", 2);
	add(ag, "cron", 2);
	add(ag, "bash", 0);
	add(ag, "init", -1);
	ck_assert_str_eq(print(ag),
			 "  init                                                             -1\n"
			 "  bash                                                              2\n"
			 "  cron                                                              2\n"
			 "  sshd                                                              3\n");
	sort.rev = true;
	ck_assert_str_eq(print_with(&ag, 1, &sort),
			 "  sshd                                                              3\n"
			 "  cron                                                              2\n"
			 "  bash                                                              2\n"
			 "  init                                                             -1\n");
	sort = (struct aggr_sort){.key = true};
	ck_assert_str_eq(print_with(&ag, 1, &sort),
			 "  bash                                                              2\n"
			 "  cron                                                              2\n"
			 "  init                                                             -1\n"
			 "  sshd                                                              3\n");
	sort.rev = true;
	ck_assert_str_eq(print_with(&ag, 1, &sort),
			 "  sshd                                                              3\n"
			 "  init                                                             -1\n"
			 "  cron                                                              2\n"
			 "  bash                                                              2\n");
	ck_assert_str_eq(
	    printa("%-6s|%@5d|%@x\n", &ag, 1),
	    "init  |   -1|ffffffffffffffff\nbash  |    2|2\ncron  |    2|2\nsshd  |    3|3\n");
	ck_assert_str_eq(printa("%@d %-3@d;", &ag, 1), "-1 -1 ;2 2  ;2 2  ;3 3  ;");
	ck_assert_str_eq(printa("x\n", &ag, 1), "x\nx\nx\nx\n");
}
END_TEST

START_TEST(test_trunc)
{
	struct aggr *ag = by_name("a", &aggfunc_sum);
	static const char *const names[] = {"a", "b", "c", "d", "e"};

	for (int i = 0; i < 5; i++)
		add(ag, names[i], i + 1);
	aggr_trunc(ag, 9);
	aggr_trunc(ag, INT64_MIN);
	ck_assert_str_eq(printa("%s", &ag, 1), "abcde");
	aggr_trunc(ag, 4);
	ck_assert_str_eq(printa("%s", &ag, 1), "bcde");
	aggr_trunc(ag, -2);
	ck_assert_str_eq(printa("%s%@d", &ag, 1), "b2c3");
	add(ag, "a", 7);
	add(ag, "c", 7);
	ck_assert_str_eq(printa("%s%@d", &ag, 1), "b2a7c10");
	aggr_clear(ag);
	ck_assert_str_eq(printa("%s%@d", &ag, 1), "a0b0c0");
	aggr_trunc(ag, 0);
	ck_assert_str_eq(printa("%s", &ag, 1), "");
	for (int i = 0; i < 10000; i++) {
		char key[NAME_SIZE];

		snprintf(key, sizeof(key), "%d", i);
		add(ag, key, i);
	}
	aggr_trunc(ag, 3);
	ck_assert_str_eq(printa("%s=%@d ", &ag, 1), "9997=9997 9998=9998 9999=9999 ");
}
END_TEST

/* A limit on the memory of totals: keys that are there go on, new ones fit when others are
 * removed. */
START_TEST(test_limit)
{
	struct aggr *ag = by_name("a", &aggfunc_sum);
	uint64_t one;

	as->percpu = true;
	add(ag, "a", 1);
	one = as->bytes;
	ck_assert_uint_gt(one, NAME_SIZE);
	as->max_bytes = 2 * one;
	add(ag, "b", 2);
	add(ag, "c", 3);
	add(ag, "a", 4);
	ck_assert_str_eq(printa("%s%@d", &ag, 1), "b2a5");
	ck_assert_uint_eq(as->refused, 1);
	aggr_trunc(ag, 1);
	ck_assert_uint_eq(as->bytes, one);
	add(ag, "c", 3);
	ck_assert_str_eq(printa("%s%@d", &ag, 1), "c3a5");
	aggr_trunc(ag, 0);
	ck_assert_uint_eq(as->bytes, 0);
	ck_assert_uint_eq(as->refused, 1);
}
END_TEST

START_TEST(test_joined)
{
	struct aggr *count = by_name("c", &aggfunc_count), *min = by_name("m", &aggfunc_min);
	struct aggr *ags[] = {count, min};
	struct aggr_sort sort = {.pos = 1};

	add(count, "bash", 9);
	add(count, "only", 1);
	add(min, "late", 4);
	add(min, "bash", -5);
	ck_assert_str_eq(print_with(ags, 2, &by_value),
			 "  late                                                              0    "
			 "            4\n"
			 "  only                                                              1    "
			 "            0\n"
			 "  bash                                                              9    "
			 "           -5\n");
	ck_assert_str_eq(print_with(ags, 2, &sort), "  bash                                        "
						    "                      9               -5\n"
						    "  only                                        "
						    "                      1                0\n"
						    "  late                                        "
						    "                      0                4\n");
	ck_assert_str_eq(printa("%s %@d %@d %@d\n", ags, 2),
			 "late 0 4 4\nonly 1 0 0\nbash 9 -5 -5\n");
	ck_assert(count->printed && min->printed);
}
END_TEST

/* Columns of other sizes at other places: the same stack, text and number are one key. "" and NULL
 * are two, and so are keys that differ in bytes without a meaning. */
START_TEST(test_joined_values)
{
	struct wide_key {
		uint64_t stack[4];
		char name[16];
		int64_t n;
	};
	struct slim_key {
		uint64_t stack[2];
		char name[8];
		int8_t n;
	};
	struct aggr_col wide_cols[] = {
	    {.type = type_stack(types, 4, false), .size = 32},
	    {.type = type_string(types), .off = 32, .size = 16},
	    {.type = type_int(types, 8, true), .off = 48, .size = 8},
	};
	struct aggr_col slim_cols[] = {
	    {.type = type_stack(types, 2, false), .size = 16},
	    {.type = type_string(types), .off = 16, .size = 8},
	    {.type = type_int(types, 1, true), .off = 24, .size = 1},
	};
	static const struct wide_key wide_rows[] = {
	    {{0x30, 0x20, 0}, "name", -5}, {{0x30, 0x20, 0x10}, "name", -5}, {{0x30}, "", 7},
	    {{0x30}, "\0\1", 7},	   {{0x30}, "long name", 1000},
	};
	static const struct slim_key slim_rows[] = {
	    {{0x30, 0x20}, "name", -5},
	    {{0x30}, "\0\1", 7},
	    {{0x30}, "name", -4},
	    {{0x30}, "name\0x", -4},
	};
	struct aggr *wide = keyed("w", &aggfunc_sum, wide_cols, 3, sizeof(struct wide_key));
	struct aggr *slim = keyed("s", &aggfunc_sum, slim_cols, 3, sizeof(struct slim_key));
	struct aggr_sort sort = {.key = true, .keypos = 2};

	for (size_t i = 0; i < ARRAY_SIZE(wide_rows); i++)
		aggr_merge(as, wide, &wide_rows[i], 0, (int64_t[]){1 << i});
	for (size_t i = 0; i < ARRAY_SIZE(slim_rows); i++)
		aggr_merge(as, slim, &slim_rows[i], 0, (int64_t[]){1 << i});
	for (int i = 0; i < 2; i++) {
		struct aggr *ags[] = {i ? slim : wide, i ? wide : slim};
		static const int want[][2] = {{1, 1}, {2, 0}, {0, 4}, {0, 8},
					      {4, 0}, {8, 2}, {16, 0}};
		struct aggr_entry **rows;
		int n = aggr_rows(ags, 2, &sort, &rows);

		ck_assert_int_eq(n, ARRAY_SIZE(want));
		for (int r = 0; r < n; r++) {
			struct aggr_entry *w = rows[2 * r + i], *s = rows[2 * r + !i];

			ck_assert_msg((w ? *w->value : 0) == want[r][0] &&
					  (s ? *s->value : 0) == want[r][1],
				      "%d, row %d", i, r);
		}
		free(rows);
	}
}
END_TEST

/* 2^127 is not -2^127, and numbers of one type are in order. */
START_TEST(test_joined_int128)
{
	static const struct type number = {.kind = T_INT, .size = 16, .name = "unsigned __int128"};
	static const struct type negative = {
	    .kind = T_INT, .flags = TF_SIGNED, .size = 16, .name = "__int128"};
	static const unsigned __int128 high = (unsigned __int128)1 << 127;
	static const unsigned __int128 numbers[] = {high, 1, 1ull << 40, high | 1};
	struct aggr_col col = {.type = &number, .size = 16};
	struct aggr *u, *s, *ags[2];
	struct aggr_sort sort = {.key = true};
	struct aggr_entry **rows;
	/* which number is in a row of both, or in one of the first or of the second alone */
	static const int want[][2] = {{-1, 0}, {-1, 3}, {1, 1}, {2, 2}, {0, -1}, {3, -1}};

	ags[0] = u = keyed("u", &aggfunc_sum, &col, 1, 16);
	col.type = &negative;
	ags[1] = s = keyed("s", &aggfunc_sum, &col, 1, 16);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		aggr_merge(as, u, &numbers[i], 0, (int64_t[]){i});
		aggr_merge(as, s, &numbers[i], 0, (int64_t[]){i});
	}
	ck_assert_int_eq(aggr_rows(ags, 2, &sort, &rows), ARRAY_SIZE(want));
	for (size_t i = 0; i < 2 * ARRAY_SIZE(want); i++)
		ck_assert_msg((rows[i] ? *rows[i]->value : -1) == want[i / 2][i % 2], "%zu", i);
	free(rows);
}
END_TEST

START_TEST(test_columns_join)
{
	const struct type *group = type_symaddr(types, SYM_CGROUP);
	const struct type *point = &(struct type){.kind = T_STRUCT, .size = 8, .name = "point"};
	const struct type *other = &(struct type){.kind = T_STRUCT, .size = 8, .name = "other"};
	const struct type *wide = &(struct type){.kind = T_INT, .size = 16, .name = "__int128"};
	const struct type *number = type_int(types, 8, true);
	const struct {
		const struct type *a, *b;
		bool join, compare; /* in a script; in a recording */
	} cases[] = {
	    {number, type_int(types, 1, false), true, true},
	    {number, type_ptr(types, number), true, true},
	    {number, wide, false, true},
	    {wide, wide, true, true},
	    {number, type_string(types), false, false},
	    {number, type_symaddr(types, SYM_NAME), false, false},
	    {number, point, false, false},
	    {type_string(types), type_string(types), true, true},
	    {type_symaddr(types, SYM_NAME), type_symaddr(types, SYM_FUNC), false, true},
	    {type_symaddr(types, SYM_NAME), group, false, true},
	    {group, type_symaddr(types, SYM_CONTAINER), false, true},
	    {group, group, true, true},
	    {type_symaddr(types, SYM_NAME), type_stack(types, 5, false), false, false},
	    {type_usymaddr(types, 0), type_stack(types, 1, true), false, false},
	    {type_usymaddr(types, 0), point, false, false},
	    {type_stack(types, 5, false), type_stack(types, 2, false), true, true},
	    {type_stack(types, 5, false), type_stack(types, 5, true), false, true},
	    {point, point, true, true},
	    {point, type_typedef(types, "point_t", point), true, true},
	    {point, other, false, true},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct aggr_col a = {.type = cases[i].a, .size = 8};
		struct aggr_col b = {.type = cases[i].b, .size = 8};

		ck_assert_msg(aggr_cols_join(&a, &b) == cases[i].join, "%zu", i);
		ck_assert_msg(aggr_cols_join(&b, &a) == cases[i].join, "%zu", i);
		ck_assert_msg(aggr_cols_compare(&a, &b) == cases[i].compare, "%zu", i);
		ck_assert_msg(aggr_cols_compare(&b, &a) == cases[i].compare, "%zu", i);
	}
}
END_TEST

struct tuple {
	int32_t pid;
	uint16_t port;
	int8_t sign;
	char pad;
	char name[8];
};

START_TEST(test_tuples)
{
	struct aggr_col cols[] = {
	    {.type = type_int(types, 4, true), .size = 4},
	    {.type = type_int(types, 2, false), .off = 4, .size = 2},
	    {.type = type_int(types, 1, true), .off = 6, .size = 1},
	    {.type = type_string(types), .off = 8, .size = 8},
	};
	struct aggr *ag = keyed("t", &aggfunc_count, cols, 4, sizeof(struct tuple));
	static const struct tuple rows[] = {
	    {-1, 65535, -1, 0, "b"},
	    {5, 80, 0, 0, "a"},
	    {5, 79, 1, 0, "z"},
	    {-2, 443, 1, 0, "ab"},
	};
	struct aggr_sort sort = {.key = true};

	for (int i = 0; i < 4; i++)
		aggr_merge(as, ag, &rows[i], 0, (int64_t[]){1});
	ck_assert_str_eq(print(ag),
			 "       -2   443   1  ab                                         "
			 "                       1\n"
			 "       -1 65535  -1  b                                          "
			 "                       1\n"
			 "        5    79   1  z                                          "
			 "                       1\n"
			 "        5    80   0  a                                          "
			 "                       1\n");
	for (sort.keypos = 0; sort.keypos < 6; sort.keypos++) {
		static const char *const want[] = {
		    "ab b z a ", "z a ab b ", "b a ab z ", "a ab b z ", "ab b z a ", "ab b z a ",
		};
		struct aggr_entry **list;
		char got[32] = "";
		int n = aggr_rows(&ag, 1, &sort, &list);

		for (int i = 0; i < n; i++) {
			strcat(got, ((const struct tuple *)list[i]->key)->name);
			strcat(got, " ");
		}
		free(list);
		ck_assert_str_eq(got, want[sort.keypos]);
	}
}
END_TEST

#define HEAD "\n           value  ------------- Distribution ------------- count    \n"

START_TEST(test_quantize)
{
	struct aggr *ag = plain("q", &aggfunc_quantize, NULL);

	add_quantize(ag, "", 1, 1);
	add_quantize(ag, "", 3, 1);
	ck_assert_str_eq(print(ag), HEAD
			 "               0 |                                         0        \n"
			 "               1 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
			 "               2 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
			 "               4 |                                         0        \n"
			 "\n");
	aggr_clear(ag);
	ck_assert_str_eq(print(ag), HEAD
			 "              -1 |                                         0        \n"
			 "               0 |                                         0        \n"
			 "               1 |                                         0        \n"
			 "\n");
	add_quantize(ag, "", 0, 100);
	add_quantize(ag, "", -4, 3000000000);
	aggr_normalize(ag, 10);
	ck_assert_str_eq(print(ag), HEAD
			 "              -8 |                                         0        \n"
			 "              -4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 300000000\n"
			 "              -2 |                                         0        \n"
			 "              -1 |                                         0        \n"
			 "               0 |                                         10       \n"
			 "               1 |                                         0        \n"
			 "\n");
}
END_TEST

START_TEST(test_quantize_ends)
{
	struct aggr *ag = plain("q", &aggfunc_quantize, NULL);
	const char *got;

	add_quantize(ag, "", INT64_MIN, 1);
	add_quantize(ag, "", INT64_MAX, 3);
	got = print(ag);
	ck_assert(!strncmp(
	    got,
	    HEAD "-4611686018427387904 |@@@@@@@@@@                               1        \n"
		 "-2305843009213693952 |                                         0        \n",
	    strlen(HEAD) + 144));
	ck_assert(!!strstr(
	    got, "\n4611686018427387904 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n\n"));
}
END_TEST

START_TEST(test_quantize_signs)
{
	struct aggr *ag = plain("q", &aggfunc_quantize, NULL);

	add_quantize(ag, "", 1, -1);
	add_quantize(ag, "", 2, -3);
	ck_assert_str_eq(print(ag), HEAD
			 "               0                                         | 0        \n"
			 "               1                               @@@@@@@@@@| -1       \n"
			 "               2           @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -3       \n"
			 "               4                                         | 0        \n"
			 "\n");
	add_quantize(ag, "", 8, 4);
	ck_assert_str_eq(print(ag), HEAD
			 "               0                     |                     0        \n"
			 "               1                  @@@|                     -1       \n"
			 "               2             @@@@@@@@|                     -3       \n"
			 "               4                     |                     0        \n"
			 "               8                     |@@@@@@@@@@           4        \n"
			 "              16                     |                     0        \n"
			 "\n");
}
END_TEST

START_TEST(test_quantize_keyed)
{
	struct aggr *ag = by_name("q", &aggfunc_quantize);

	add_quantize(ag, "b", 4, 1);
	add_quantize(ag, "a", 1, 3); /* weighs 3, less than 4 */
	ck_assert_str_eq(print(ag),
			 "  a                                                 " HEAD
			 "               0 |                                         0        \n"
			 "               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 3        \n"
			 "               2 |                                         0        \n"
			 "\n"
			 "  b                                                 " HEAD
			 "               2 |                                         0        \n"
			 "               4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
			 "               8 |                                         0        \n"
			 "\n");
	ck_assert_str_eq(
	    printa("%s:%@d", &ag, 1),
	    "a:" HEAD "               0 |                                         0        \n"
	    "               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 3        \n"
	    "               2 |                                         0        \n"
	    "b:" HEAD "               2 |                                         0        \n"
	    "               4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
	    "               8 |                                         0        \n");
	add_quantize(ag, "b", -1, 1); /* both weigh 3 now; zeroes break the tie */
	add_quantize(ag, "a", 0, 1);
	ck_assert(strstr(print(ag), "  b ") < strstr(print(ag), "  a "));
}
END_TEST

START_TEST(test_lquantize)
{
	struct aggr *ag = plain("l", &aggfunc_lquantize, (int64_t[]){0, 40, 10, 0});

	for (int i = -10; i < 50; i += 10)
		add_quantize(ag, "", i, 1);
	ck_assert_str_eq(print(ag), HEAD
			 "             < 0 |@@@@@@@                                  1        \n"
			 "               0 |@@@@@@@                                  1        \n"
			 "              10 |@@@@@@@                                  1        \n"
			 "              20 |@@@@@@@                                  1        \n"
			 "              30 |@@@@@@@                                  1        \n"
			 "           >= 40 |@@@@@@@                                  1        \n"
			 "\n");
	aggr_trunc(ag, 0);
	add_quantize(ag, "", 25, 2);
	ck_assert_str_eq(print(ag), HEAD
			 "              10 |                                         0        \n"
			 "              20 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n"
			 "              30 |                                         0        \n"
			 "\n");
	aggr_clear(ag);
	ck_assert_str_eq(print(ag), HEAD
			 "             < 0 |                                         0        \n"
			 "               0 |                                         0        \n"
			 "              10 |                                         0        \n"
			 "\n");
	ck_assert_ptr_null(plain("bad", &aggfunc_lquantize, (int64_t[]){40, 0, 1, 0}));
	ck_assert_ptr_null(plain("big", &aggfunc_lquantize, (int64_t[]){0, 1000000, 1, 0}));
}
END_TEST

START_TEST(test_llquantize)
{
	struct aggr *ag = plain("l", &aggfunc_llquantize, (int64_t[]){10, 0, 1, 10});

	ck_assert_int_eq(ag->words, 2 * 18 + 3);
	add_quantize(ag, "", 0, 1);
	add_quantize(ag, "", 2, 1);
	ck_assert_str_eq(print(ag), HEAD
			 "              -1 |                                         0        \n"
			 "               0 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
			 "               1 |                                         0        \n"
			 "               2 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
			 "               3 |                                         0        \n"
			 "\n");
	aggr_trunc(ag, 0);
	add_quantize(ag, "", 90, 1);
	add_quantize(ag, "", 100, 3);
	ck_assert_str_eq(print(ag), HEAD
			 "              80 |                                         0        \n"
			 "              90 |@@@@@@@@@@                               1        \n"
			 "          >= 100 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n"
			 "\n");
	aggr_trunc(ag, 0);
	add_quantize(ag, "", -100, 1);
	add_quantize(ag, "", -99, 1);
	add_quantize(ag, "", -89, 2);
	ck_assert_str_eq(print(ag), HEAD
			 "         <= -100 |@@@@@@@@@@                               1        \n"
			 "             -90 |@@@@@@@@@@                               1        \n"
			 "             -80 |@@@@@@@@@@@@@@@@@@@@                     2        \n"
			 "             -70 |                                         0        \n"
			 "\n");
	ck_assert_ptr_null(plain("bad", &aggfunc_llquantize, (int64_t[]){10, 0, 3, 15}));
}
END_TEST

/* Keys by func() merge when their addresses are in one function. */
START_TEST(test_symbol_keys)
{
	static const char symbols[] = "ffffffff81000000 T one\nffffffff81000100 T two\n";
	struct aggr_col col = {.type = type_symaddr(types, SYM_FUNC), .size = 8};
	struct aggr *ag = keyed("f", &aggfunc_count, &col, 1, 8);
	char path[] = "/tmp/dt_test_aggr.XXXXXX";
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");

	fputs(symbols, f);
	fclose(f);
	as->syms = ctx.syms = syms_new(path, NULL);
	for (uint64_t addr = 0xffffffff81000000; addr < 0xffffffff81000200; addr += 0x40)
		aggr_merge(as, ag, &addr, 0, (int64_t[]){addr & 0x100 ? 2 : 1});
	ck_assert_str_eq(print(ag),
			 "  vmlinux`one                                                       4\n"
			 "  vmlinux`two                                                       8\n");
	ck_assert_str_eq(printa("%a=%@d\n", &ag, 1), "vmlinux`one=4\nvmlinux`two=8\n");
	remove(path);
	syms_free(ctx.syms);
}
END_TEST

START_TEST(test_stack_keys)
{
	struct aggr_col cols[] = {{.type = type_special(types, T_STACK), .size = 24},
				  {.type = type_string(types), .off = 24, .size = 8}};
	struct aggr *ag = keyed("s", &aggfunc_count, cols, 2, 32);
	struct {
		uint64_t pc[3];
		char name[8];
	} key = {{0x1000, 0x2000, 0}, "a"};

	aggr_merge(as, ag, &key, 0, (int64_t[]){5});
	key.pc[1] = 0;
	aggr_merge(as, ag, &key, 0, (int64_t[]){5});
	ck_assert_str_eq(print(ag),
			 "\n              0x1000\n"
			 "  a                                                                 5\n"
			 "\n              0x1000\n              0x2000\n"
			 "  a                                                                 5\n");
}
END_TEST

START_TEST(test_percpu)
{
	struct aggr *count = by_name("c", &aggfunc_count), *min = plain("m", &aggfunc_min, NULL);
	char key[NAME_SIZE] = "a";

	as->percpu = true;
	aggr_merge(as, count, key, 0, (int64_t[]){5});
	aggr_merge(as, count, key, 1, (int64_t[]){7});
	aggr_merge(as, count, key, 1, (int64_t[]){1});
	/* a CPU that there is not counts for the total */
	aggr_merge(as, count, key, as->ncpus, (int64_t[]){1});
	ck_assert_str_eq(print(count),
			 "  a                                                                14\n"
			 "    [CPU 0]                5\n"
			 "    [CPU 1]                8\n");
	aggr_normalize(count, 2);
	aggr_clear(count);
	aggr_merge(as, count, key, 1, (int64_t[]){6});
	ck_assert_str_eq(print(count),
			 "  a                                                                 3\n"
			 "    [CPU 0]                0\n"
			 "    [CPU 1]                3\n");
	aggr_trunc(count, 0);
	ck_assert_str_eq(print(count), "");
	aggr_merge(as, min, "", 1, (int64_t[]){-4});
	ck_assert_str_eq(print(min), "               -4\n    [CPU 1]               -4\n");
}
END_TEST

START_TEST(test_hist)
{
	struct aggr *count = by_name("c", &aggfunc_count), *min = by_name("m", &aggfunc_min);

	ctx.draw.hist = true;
	add(count, "one", 1);
	add(count, "three", 3);
	add(min, "one", 1);
	ck_assert_str_eq(print(count),
			 "\n             key  ------------- Distribution ------------- count    \n"
			 "             one |@@@@@@@@@@                               1        \n"
			 "           three |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n");
	ctx.draw.zoom = true;
	ck_assert_str_eq(print(count),
			 "\n             key  ------------- Distribution ------------- count    \n"
			 "             one |@@@@@@@@@@@@@                            1        \n"
			 "           three |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 3        \n");
	ctx.draw.utf8 = true;
	ck_assert_str_eq(print(count),
			 "\n             key  ------------- Distribution ------------- count    \n"
			 "             one |█████████████▍                           1        \n"
			 "           three |████████████████████████████████████████ 3        \n");
	/* The smallest of all is no share of anything. */
	ck_assert_str_eq(print(min),
			 "  one                                                               1\n");
	ctx.draw.hist = ctx.draw.zoom = ctx.draw.utf8 = false;
}
END_TEST

START_TEST(test_pack)
{
	struct aggr *q = by_name("q", &aggfunc_quantize),
		    *l = plain("l", &aggfunc_lquantize, (int64_t[]){0, 3, 1, 0});

	ctx.draw.pack = true;
	for (int i = 0; i < 8; i++)
		add_quantize(q, "a", i, 1);
	add_quantize(q, "b", 2, -5);
	ck_assert_str_eq(print(q), "\n             key  min .------. max | count\n"
				   "               b   -1 :   V  : 8   | -5\n"
				   "               a   -1 : ___x : 8   | 8\n");
	ctx.draw.utf8 = ctx.draw.zoom = true;
	ck_assert_str_eq(print(q), "\n             key  min .------. max | count\n"
				   "               b   -1 :   V  : 8   | -5\n"
				   "               a   -1 : ▂▂▄█ : 8   | 8\n");
	ctx.draw.utf8 = ctx.draw.zoom = false;
	add_quantize(l, "", -1, 1);
	add_quantize(l, "", 9, 3);
	ck_assert_str_eq(print(l), "\n  min .-----. max  | count\n  < 0 :_   x: >= 3 | 4\n");
	ctx.draw.pack = false;
}
END_TEST

START_TEST(test_zoom)
{
	struct aggr *q = plain("q", &aggfunc_quantize, NULL);

	ctx.draw.zoom = true;
	add_quantize(q, "", 0, 4);
	add_quantize(q, "", 1, 1);
	ck_assert_str_eq(
	    print(q), "\n           value  ------------- Distribution ------------- count    \n"
		      "              -1 |                                         0        \n"
		      "               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 4        \n"
		      "               1 |@@@@@@@@@@                               1        \n"
		      "               2 |                                         0        \n\n");
	ctx.draw.zoom = false;
}
END_TEST

START_TEST(test_fold)
{
	struct aggr_col cols[] = {
	    {.type = type_string(types), .size = NAME_SIZE},
	    {.type = type_special(types, T_STACK), .off = NAME_SIZE, .size = 24},
	};
	struct aggr *ag = keyed("s", &aggfunc_quantize, cols, 2, NAME_SIZE + 24);
	struct aggr *none = by_name("n", &aggfunc_count);
	int64_t value[QUANTIZE_BUCKETS] = {0};
	char key[NAME_SIZE + 24] = "a;b";
	uint64_t frames[3] = {0x10, 0x20, 0x30};

	value[64] = 2;
	value[70] = 3;
	ck_assert(aggr_has_stack(ag) && !aggr_has_stack(none));
	aggr_merge(as, ag, key, 0, value);
	memcpy(key + NAME_SIZE, frames, sizeof(frames));
	aggr_merge(as, ag, key, 0, value);
	ctx.out = open_memstream(&text, &text_len);
	ck_assert_int_eq(aggr_fold(&ctx, ag, &by_value), 0);
	ck_assert_str_eq(finish(), "a:b 5\na:b;0x30;0x20;0x10 5\n");
	ck_assert(ag->printed);
}
END_TEST

Suite *aggr_suite(void)
{
	Suite *s = suite_create("aggr");
	TCase *tc = tcase_create("aggr");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, test_quantize_buckets);
	tcase_add_test(tc, test_lquantize_buckets);
	tcase_add_test(tc, test_llquantize_buckets);
	tcase_add_test(tc, test_ranges);
	tcase_add_test(tc, test_unkeyed);
	tcase_add_test(tc, test_stddev_big);
	tcase_add_test(tc, test_wrapped);
	tcase_add_test(tc, test_keyed);
	tcase_add_test(tc, test_trunc);
	tcase_add_test(tc, test_limit);
	tcase_add_test(tc, test_joined);
	tcase_add_test(tc, test_joined_values);
	tcase_add_test(tc, test_joined_int128);
	tcase_add_test(tc, test_columns_join);
	tcase_add_test(tc, test_tuples);
	tcase_add_test(tc, test_quantize);
	tcase_add_test(tc, test_quantize_ends);
	tcase_add_test(tc, test_quantize_signs);
	tcase_add_test(tc, test_quantize_keyed);
	tcase_add_test(tc, test_lquantize);
	tcase_add_test(tc, test_llquantize);
	tcase_add_test(tc, test_percpu);
	tcase_add_test(tc, test_hist);
	tcase_add_test(tc, test_pack);
	tcase_add_test(tc, test_zoom);
	tcase_add_test(tc, test_fold);
	tcase_add_test(tc, test_symbol_keys);
	tcase_add_test(tc, test_stack_keys);
	suite_add_tcase(s, tc);
	return s;
}
